import IPAddresses
import Testing

struct AddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0:0:0:0:0:1"),
        ("2001:0DB8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:1"), ("::", "0:0:0:0:0:0:0:0"), ("1::", "1:0:0:0:0:0:0:0"),
        ("64:ff9b::192.0.2.33", "64:ff9b:0:0:0:0:c000:221"),
    ])
    func `an address has one canonical text`(_ text: String, _ spelling: String) {
        #expect(IPAddress(text)?.description == spelling)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "1.2.3.4 ", "1.2.3.4:80", "[::1]", "::1%eth0", ":::",
        "1::2::3",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "+1::", "g::", "::1.2.3", "localhost",
        "1.2.3.4::",
    ])
    func `an invalid address is refused`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `loopback addresses of both families are recognized`() {
        #expect(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"].allSatisfy { IPAddress($0)?.isLoopback == true })
        #expect(["128.0.0.1", "10.127.0.1", "::2", "::ffff:10.0.0.1", "::"].allSatisfy { IPAddress($0)?.isLoopback == false })
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("::/0", "8.8.8.8", true), ("::1", "::1", true),
    ])
    func `a block contains its addresses`(_ block: String, _ address: String, _ isInside: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(AddressBlock(block)?.contains(address) == isInside)
    }

    @Test(arguments: [
        "", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "::/129", "2001:db8::1/32", "x", "1.2.3.4/8/8",
    ])
    func `an invalid block, or one with bits beyond its prefix, is refused`(_ text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
