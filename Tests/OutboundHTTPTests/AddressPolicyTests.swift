import IPAddresses
import Testing

@testable import OutboundHTTP

struct AddressPolicyTests {
    private func refusal(_ url: String, _ policy: AddressPolicy = .publicAddresses()) -> DestinationRefusal? {
        do throws(DestinationRefusal) {
            try policy.check(url)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(_ url: String, at address: String, _ policy: AddressPolicy) throws -> DestinationRefusal? {
        let (url, address) = (try OutboundURL(url), try #require(IPAddress(address)))
        do throws(DestinationRefusal) {
            try policy.check(address, of: url)
            return nil
        } catch {
            return error
        }
    }

    private func policy(_ exceptions: String...) throws -> AddressPolicy {
        .publicAddresses(except: try exceptions.map { try #require(AddressException($0)) })
    }

    @Test(arguments: [
        "https://example.com", "https://EXAMPLE.com/hooks?a=b&c=%20", "https://example.com:8443/", "https://8.8.8.8/x",
        "https://[2606:4700::1111]:443/x", "https://xn--bcher-kva.example/", "https://example.com./", "https://a_b.example",
        "https://3com.com/", "HTTPS://example.com/",
    ])
    func `https to a public host is allowed`(_ url: String) {
        #expect(refusal(url) == nil)
    }

    @Test(arguments: [
        ("", DestinationRefusal.malformed), ("example.com", .malformed), ("//example.com/", .malformed),
        ("https:/example.com", .malformed),
        ("https://example.com/#x", .malformed), ("https://exa mple.com/", .malformed), ("https://example.com/\\x", .malformed),
        ("https://example.com/%4", .malformed), ("https://example.com/\r\nX: y", .malformed),
        ("https://bücher.example/", .malformed),
        ("https://example.com\\@127.0.0.1/", .malformed), ("https://example.com/\u{0}", .malformed),
        ("ftp://example.com/", .scheme), ("file:///etc/passwd", .scheme), ("gopher://example.com/", .scheme),
        ("://example.com", .scheme),
        ("http://example.com/", .unencrypted), ("http://8.8.8.8/", .unencrypted), ("http://127.0.0.1/", .unencrypted),
        ("https://user@example.com/", .credentials), ("https://user:secret@example.com/", .credentials),
        ("https://example.com@127.0.0.1/", .credentials),
        ("https://example.com:0/", .port), ("https://example.com:65536/", .port), ("https://example.com:/", .port),
        ("https://example.com:+1/", .port),
        ("https://example.com:80:80/", .port),
        ("https://", .host), ("https:///x", .host), ("https://./", .host), ("https://a..b/", .host),
        ("https://exam%70le.com/", .host),
        ("https://[::1/", .host), ("https://[::1]x/", .host), ("https://[fe80::1%25eth0]/", .host),
        ("https://[127.0.0.1]/", .host),
        ("https://127.1/", .host), ("https://0x7f.0.0.1/", .host), ("https://0x7f000001/", .host),
        ("https://2130706433/", .host),
        ("https://0177.0.0.1/", .host), ("https://1.2.3.4.5/", .host), ("https://127.0.0.1./", .host),
        ("https://127.0.0.1/", .address(.loopback, of: "127.0.0.1")),
        ("https://[::ffff:10.0.0.1]/", .address(.privateUse, of: "10.0.0.1")),
        ("https://169.254.169.254/latest/meta-data", .address(.linkLocal, of: "169.254.169.254")),
        ("https://localhost/", .address(.loopback, of: "localhost")),
        ("https://x.LOCALHOST./", .address(.loopback, of: "x.localhost")),
    ])
    func `another URL is refused with the reason`(_ url: String, _ reason: DestinationRefusal) {
        #expect(refusal(url) == reason)
        #expect(!reason.description.isEmpty)
    }

    @Test func `a URL has at most 2048 bytes`() {
        let longest = "https://example.com/" + String(repeating: "x", count: OutboundURL.limitBytes - 20)
        #expect(refusal(longest) == nil)
        #expect(refusal(longest + "x") == .tooLong)
    }

    @Test func `an exception for a host allows all its addresses, and http`() throws {
        let policy = try policy("Hooks.Internal.")
        #expect(refusal("http://hooks.internal:8080/x", policy) == nil)
        #expect(try refusal("http://hooks.internal/", at: "10.1.2.3", policy) == nil)
        #expect(refusal("http://other.internal/", policy) == .unencrypted)
        #expect(try refusal("https://other.internal/", at: "10.1.2.3", policy) == .address(.privateUse, of: "10.1.2.3"))
        #expect(refusal("https://localhost/", try self.policy("localhost")) == nil)
    }

    @Test func `an exception for a block allows its addresses, and http to them`() throws {
        let policy = try policy("10.0.0.0/8", "fd00::7")
        #expect(refusal("http://10.9.9.9/", policy) == nil)
        #expect(refusal("http://[fd00::7]/", policy) == nil)
        #expect(refusal("http://[fd00::8]/", policy) == .unencrypted)
        #expect(refusal("https://[fd00::8]/", policy) == .address(.uniqueLocal, of: "fd00:0:0:0:0:0:0:8"))
        // Which address the name has is not known, and may change.
        #expect(refusal("http://hooks.internal/", policy) == .unencrypted)
        #expect(refusal("https://hooks.internal/", policy) == nil)
        #expect(try refusal("http://hooks.internal/", at: "10.0.0.1", policy) == nil)
        #expect(try refusal("http://hooks.internal/", at: "8.8.8.8", policy) == .unencrypted)
        #expect(try refusal("http://hooks.internal/", at: "127.0.0.1", policy) == .address(.loopback, of: "127.0.0.1"))
    }

    @Test(arguments: [("127.0.0.1", true), ("::1", true), ("127.0.0.0/8", true), ("10.0.0.0/8", false), ("127.0.0.2", false)])
    func `a name of this machine is allowed where its address is`(_ block: String, _ isAllowed: Bool) throws {
        let policy = try policy(block)
        for name in ["localhost", "hooks.localhost"] {
            for url in ["http://\(name):8080/", "https://\(name)/"] {
                #expect(refusal(url, policy) == (isAllowed ? nil : .address(.loopback, of: name)), "\(url)")
            }
        }
        #expect(refusal("http://any-name/", policy) == .unencrypted)
    }

    @Test func `systems of the operator may have any address by https, and by http only one of this machine`() throws {
        let policy = AddressPolicy.operatorsSystems
        for url in [
            "https://10.0.0.1/", "https://sso.internal/", "https://localhost:8443/", "http://localhost:9000/",
            "http://127.0.0.1:1/", "http://[::1]/",
        ] {
            #expect(refusal(url, policy) == nil, "\(url)")
        }
        #expect(refusal("http://sso.internal/", policy) == .unencrypted)
        #expect(refusal("http://10.0.0.1/", policy) == .unencrypted)
        #expect(try refusal("http://localhost/", at: "10.0.0.1", policy) == .unencrypted)
        #expect(try refusal("http://localhost/", at: "::1", policy) == nil)
    }

    @Test(arguments: ["", "10.0.0.1/8", "http://x", "a b", "x/8", "127.1", "*.internal", "hooks.internal:80"])
    func `what is no host, address or block is no exception`(_ text: String) {
        #expect(AddressException(text) == nil)
    }
}
