import IPAddresses
import Testing

@testable import OutboundHTTP

struct AddressKindTests {
    @Test(arguments: [
        ("0.0.0.0", AddressKind.unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified),
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback),
        ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse), ("192.168.1.1", .privateUse),
        ("::ffff:10.0.0.1", .privateUse), ("64:ff9b::10.0.0.1", .privateUse), ("64:ff9b::192.168.0.1", .privateUse),
        ("100.64.0.1", .shared), ("100.127.255.255", .shared), ("100.100.100.200", .shared),
        ("169.254.169.254", .linkLocal), ("::ffff:169.254.169.254", .linkLocal), ("64:ff9b::a9fe:a9fe", .linkLocal),
        ("fe80::1", .linkLocal),
        ("fc00::1", .uniqueLocal), ("fd00:ec2::254", .uniqueLocal),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast),
        ("192.0.2.1", .documentation), ("198.51.100.7", .documentation), ("203.0.113.255", .documentation),
        ("2001:db8::1", .documentation),
        ("3fff::1", .documentation),
        ("192.0.0.192", .reserved), ("192.88.99.1", .reserved), ("198.18.0.1", .reserved), ("198.19.255.255", .reserved),
        ("240.0.0.1", .reserved), ("255.255.255.255", .reserved), ("168.63.129.16", .reserved),
        ("2002:7f00:1::", .reserved), ("2002:0808:0808::1", .reserved), ("2001::1", .reserved), ("2001:20::1", .reserved),
        ("64:ff9b:1::10.0.0.1", .reserved), ("::10.0.0.1", .reserved), ("fec0::1", .reserved), ("100::1", .reserved),
        ("5f00::1", .reserved),
        ("4000::1", .reserved),
    ])
    func `an address that is not public has a kind`(_ text: String, _ kind: AddressKind) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == kind)
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "11.0.0.1", "172.15.255.255", "172.32.0.1", "192.167.255.255", "100.63.255.255", "100.128.0.1",
        "169.253.0.1",
        "223.255.255.255", "192.0.1.1", "198.17.255.255", "198.20.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2606:4700::1111",
        "2a00:1450::1", "2001:4860:4860::8888", "2003::1", "2001:200::1",
    ])
    func `a public address has none`(_ text: String) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == nil)
    }

    @Test func `every block of the table is one, and every kind has a text of its own`() {
        #expect(AddressKind.blockCounts.texts == AddressKind.blockCounts.blocks)
        #expect(Set(AddressKind.allCases.map(\.description)).count == AddressKind.allCases.count)
    }
}
