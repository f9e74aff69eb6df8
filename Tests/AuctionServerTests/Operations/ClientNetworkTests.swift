import IPAddresses
import AuctionServer
import MicroHTTP
import Testing

struct ClientNetworkTests {
    @Test(arguments: [
        ("2001:db8::1", "2001:db8:0:0:ffff::2", 64, true), ("2001:db8::1", "2001:db8:0:1::1", 64, false),
        ("2001:db8::1", "2001:db8:0:1::1", 48, true), ("2001:db8::1", "2001:db8::2", 128, false),
        ("192.0.2.1", "192.0.2.2", 64, false), ("192.0.2.1", "::ffff:192.0.2.1", 64, true),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", 16, false), ("fe80::1%eth0", "fe80::2%eth1", 64, true),
        ("::", "", 64, true), ("192.0.2.1", "::", 1, false),
    ])
    func `an IPv6 prefix counts as one client, and so does an IPv4 address`(
        _ one: String, _ other: String, _ prefix: Int, _ isOne: Bool
    ) {
        #expect((ClientNetwork(one, version6Prefix: prefix) == ClientNetwork(other, version6Prefix: prefix)) == isOne)
    }

    private func server(prefix: Int) throws -> TestServer {
        let block = try #require(AddressBlock("127.0.0.0/8"))
        return try TestServer {
            $0.limits.guestsPerMinute = 1
            $0.streams.perUser = 1
            $0.trustedProxies = [block]
            $0.http.limits.addressPrefix6 = prefix
        }
    }

    @Test func `new guests are limited per IPv6 prefix`() throws {
        func statuses(prefix: Int) throws -> [Int] {
            let server = try server(prefix: prefix)
            return try ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map {
                try server.call("POST", "/v1/guests", ["nickname": "Gus"], by: nil, [("X-Forwarded-For", $0)]).status
            }
        }
        #expect(try statuses(prefix: 64) == [201, 429, 201])
        #expect(try statuses(prefix: 128) == [201, 201, 201])
        #expect(try statuses(prefix: 48) == [201, 429, 429])
    }
}
