import IPAddresses
@testable import AuctionServer
import Testing

struct TrustedProxyTests {
    private static let proxies = TrustedProxies(["10.0.0.0/8", "::1", "2001:db8:ff::/48"].compactMap { AddressBlock($0) })

    private func client(
        of peer: String = "10.0.0.1", forwarded: [String] = [], xForwardedFor: [String] = []
    ) -> String {
        Self.proxies.client(peer: peer, forwarded: forwarded, xForwardedFor: xForwardedFor)
    }

    @Test func `forwarding headers of an untrusted peer are ignored`() {
        #expect(client(of: "192.0.2.9", forwarded: ["for=203.0.113.1"]) == "192.0.2.9")
        #expect(client(of: "192.0.2.9", xForwardedFor: ["203.0.113.1"]) == "192.0.2.9")
        let untrusting = TrustedProxies([])
        #expect(untrusting.client(peer: "10.0.0.1", forwarded: ["for=203.0.113.1"], xForwardedFor: []) == "10.0.0.1")
    }

    @Test func `the last address that is no trusted proxy is the client`() {
        #expect(client(xForwardedFor: ["203.0.113.1"]) == "203.0.113.1")
        #expect(client(xForwardedFor: ["198.51.100.1, 203.0.113.1, 10.0.0.2"]) == "203.0.113.1")
        #expect(client(xForwardedFor: ["nonsense,,203.0.113.1"]) == "203.0.113.1")
        #expect(client(xForwardedFor: ["198.51.100.1", "203.0.113.1"]) == "203.0.113.1", "two lines are one list")
        #expect(client(forwarded: ["for=198.51.100.1, for=203.0.113.1;proto=https, for=10.0.0.2"]) == "203.0.113.1")
        #expect(client(forwarded: ["for=198.51.100.1", "for=203.0.113.1"]) == "203.0.113.1")
        #expect(client(xForwardedFor: ["10.0.0.3, 10.0.0.2"]) == "10.0.0.3", "all addresses are trusted proxies")
    }

    @Test(arguments: [
        ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe:0:0:0:0:17"),
        ("for=\"192.0.2.60:80\"", "192.0.2.60"), ("by=10.0.0.1 ; for=192.0.2.60", "192.0.2.60"),
        ("for=\"192.0.2.\\60\"", "192.0.2.60"), ("for=192.0.2.60;secret=\"a,b;c\"", "192.0.2.60"),
        ("for=\"[2001:db8:cafe::17]:_obf\"", "2001:db8:cafe:0:0:0:0:17"), ("for=192.0.2.60;extension=value", "192.0.2.60"),
    ])
    func `Forwarded is parsed as in RFC 7239`(_ header: String, _ address: String) {
        #expect(client(forwarded: [header]) == address)
    }

    @Test(arguments: [
        "", "for", "for=", "for=192.0.2.60;", ";for=192.0.2.60", "for=192.0.2.60,", "for=\"192.0.2.60", "for = 192.0.2.60",
        "for=192.0.2.60;for=192.0.2.61", "for=192.0.2.60 for=192.0.2.61", "for=[2001:db8:cafe::17]", "for=unknown",
        "for=_hidden",
        "proto=https", "for=\"192.0.2.60:port\"", "for=\"192.0.2.60:\"", "for=192.0.2.600", "for=\"2001:db8::1]:80\"",
        "for=192.0.2.60, for=unknown", "for=\", for=192.0.2.60",
    ])
    func `with a malformed or obfuscated Forwarded the peer is the client`(_ header: String) {
        #expect(client(forwarded: [header]) == "10.0.0.1")
    }

    @Test(arguments: [
        ("203.0.113.1:4711", "203.0.113.1"), ("2001:db8::7", "2001:db8:0:0:0:0:0:7"),
        ("[2001:db8::7]:80", "2001:db8:0:0:0:0:0:7"),
        ("\t203.0.113.1 ", "203.0.113.1"), ("unknown", "10.0.0.1"), ("203.0.113.1, unknown", "10.0.0.1"), ("", "10.0.0.1"),
        ("203.0.113.1,", "10.0.0.1"), ("203.0.113.1 203.0.113.2", "10.0.0.1"), ("\"203.0.113.1\"", "10.0.0.1"),
    ])
    func `X-Forwarded-For is parsed in the forms that proxies write`(_ header: String, _ address: String) {
        #expect(client(xForwardedFor: [header]) == address)
    }

    @Test func `two headers are used only if they agree, because a proxy sets one and forwards the other`() {
        #expect(client(forwarded: ["for=203.0.113.1"], xForwardedFor: ["203.0.113.1"]) == "203.0.113.1")
        #expect(client(forwarded: ["for=198.51.100.66"], xForwardedFor: ["203.0.113.1"]) == "10.0.0.1")
        #expect(client(forwarded: ["for="], xForwardedFor: ["203.0.113.1"]) == "10.0.0.1")
        #expect(client(forwarded: ["for=203.0.113.1"], xForwardedFor: ["x"]) == "10.0.0.1")
    }

    @Test func `guests behind a trusted proxy are limited per client address`() throws {
        let block = try #require(AddressBlock("127.0.0.0/8"))
        let server = try TestServer {
            $0.limits.guestsPerMinute = 1
            $0.trustedProxies = [block]
        }
        func status(_ headers: [(name: String, value: String)]) throws -> Int {
            try server.call("POST", "/v1/guests", ["nickname": "Gus"], by: nil, headers).status
        }
        #expect(try status([("X-Forwarded-For", "203.0.113.1")]) == 201)
        #expect(try status([("X-Forwarded-For", "203.0.113.1")]) == 429)
        #expect(try status([("X-Forwarded-For", "198.51.100.9, 203.0.113.1")]) == 429, "the first address is forged")
        #expect(try status([("Forwarded", "for=203.0.113.2")]) == 201)
        #expect(try status([("Forwarded", "for=\"[::ffff:203.0.113.2]\"")]) == 429)
        #expect(try status([]) == 201)
    }

    @Test func `without trusted proxies forwarding headers are ignored`() throws {
        let server = try TestServer { $0.limits.guestsPerMinute = 1 }
        let headers = [(name: "X-Forwarded-For", value: "203.0.113.1")]
        #expect(try server.call("POST", "/v1/guests", ["nickname": "Gus"]).status == 201)
        #expect(try server.call("POST", "/v1/guests", ["nickname": "Gus"], by: nil, headers).status == 429)
    }
}
