@testable import AuctionServer
import ExactJSON
import Permissions
import Testing

/// The addresses that items may have in `media`.
struct MediaAddressTests {
    @Test(arguments: [
        "https://example.org/a.jpg", "https://example.org", "https://x/", "https://x?a=b#c", "https://example.org:8443/a",
        "https://x:/a",
        "https://192.0.2.1/a", "https://[2001:db8::1]/a", "https://[::1]:65535/a", "https://münchen.example/krüge/bild.jpg",
        "https://拍卖.example/图.jpg", "https://x/a%20b%C3%A4?c=%2f", "https://x/w_3,h_2;q(80)'s!.jpg", "https://x/@user/a",
        "https://x/a:b",
        "https://a_b.example./c", "https://x/https://y/", "https://1.example.1x/",
    ])
    func `a valid https address with a host is taken`(address: String) {
        #expect(MediaAddress.problem(in: address) == nil)
    }

    @Test(arguments: [
        ("http://x/a", "begin with https://"), ("HTTPS:/x", "begin"), ("ftp://x", "begin"), ("", "begin"),
        ("javascript:alert(1)", "begin"),
        ("https://", "no host"), ("https:///etc", "no host"), ("https://:443/", "no host"), ("https://?a", "no host"),
        ("https://#", "no host"),
        ("https://x/\"onerror=alert(1)", "U+0022 (\")"), ("https://x/<b>", "U+003C"), ("https://x/a\\b", "U+005C"),
        ("https://x/a b", "U+0020"),
        ("https://x/a|b", "U+007C"), ("https://x/a\tb", "U+0009"), ("https://x/\u{202E}gpj", "U+202E"),
        ("https://x/\u{200B}a", "U+200B"),
        ("https://x/\u{2066}a", "U+2066"), ("https://x\u{AD}y/", "U+00AD"), ("https://x/“a”", "U+201C"),
        ("https://x/\u{A0}", "U+00A0"),
        ("https://x:999999/", "port"), ("https://x:65536/", "port"), ("https://x:0/", "port"), ("https://x:8a/", "port"),
        ("https://x:-1/", "port"),
        ("https://x:80:80/", "port"), ("https://[::1]:99999/", "port"), ("https://user@x/", "user name"),
        ("https://user:pass@x/", "user name"),
        ("https://x@/", "user name"), ("https://@x/", "user name"),
        ("https://x/%zz", "hexadecimal"), ("https://x/%", "hexadecimal"), ("https://x/%4", "hexadecimal"),
        ("https://x/a%4?b", "hexadecimal"),
        ("https://x/?%u12", "hexadecimal"), ("https://a%20b/", "valid host"), ("https://a..b/", "valid host"),
        ("https://.a/", "valid host"),
        ("https://./", "valid host"), ("https://a,b/", "valid host"), ("https://1.2.3/", "valid host"),
        ("https://1.2.3.256/", "valid host"),
        ("https://[::1/", "valid host"), ("https://[::1]a/", "valid host"), ("https://[x]/", "valid host"),
        ("https://[1.2.3.4]/", "valid host"),
        ("https://" + String(repeating: "a", count: 64) + ".example/", "valid host"),
        ("https://x/" + String(repeating: "a", count: 1991), "at most 2000 bytes"),
        ("https://" + String(repeating: "a.", count: 127) + "example/", "valid host"),
    ])
    func `another address is refused with what is wrong`(address: String, word: String) {
        let problem = MediaAddress.problem(in: address)?.english
        #expect(problem?.contains(word) == true, "\(problem ?? "taken")")
    }

    @Test func `a scheme in capitals is taken, and stored in lower case`() throws {
        let fixture = try RoomFixture()
        let media: JSONValue = ["HTTPS://x/A.jpg", "Https://X/b", "https://x/HTTPS://y"]
        let lot = try fixture.call(
            "POST", "/lots", ["name": "Vase", "media": media, "rules": ["startingPrice": "1"]], by: fixture.owner)
        #expect(lot.status == 201, "\(lot.bodyText)")
        let stored = try fixture.call("GET", "/lots", by: fixture.owner).list("lots").map { $0.at("item.media") }
        #expect(stored == [["https://x/A.jpg", "https://X/b", "https://x/HTTPS://y"]])
        #expect(MediaAddress.normalized("HTTP://x") == "HTTP://x" && MediaAddress.normalized("ht") == "ht")
    }

    @Test func `the check is the same for items, lots, changes of lots and rows of files`() throws {
        let fixture = try RoomFixture()
        func expectRefused(_ response: HTTPResponse, _ place: String) {
            #expect(response.status == 400 && response.text("field") == "media", "\(place)")
            #expect(response.text("detail")?.contains("address 2 must have a port") == true, "\(place): \(response.bodyText)")
        }
        let rules: JSONValue = ["startingPrice": "1"]
        let media: JSONValue = ["https://x/a", "https://x:999999/"]
        let body: JSONValue = ["name": "Vase", "media": media, "rules": rules]
        let lot = try fixture.call(
            "POST", "/lots", ["name": "Jug", "media": ["https://x/a"], "rules": rules], by: fixture.owner)
        let path = "/lots/" + (try #require(lot.text("id")))
        expectRefused(try fixture.call("POST", "/lots", body, by: fixture.owner), "lot")
        expectRefused(try fixture.call("PATCH", path, ["media": media], by: fixture.owner), "change")
        expectRefused(try fixture.call("POST", "/items", body, by: fixture.owner), "item")
        let line = "{\"name\":\"Vase\",\"media\":[\"https://x/a\",\"https://x:999999/\"],\"rules\":{\"startingPrice\":\"1\"}}"
        let file = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: line, by: fixture.owner, [("Content-Type", "application/x-ndjson")])
        #expect(file.status == 422 && file.text("rows.0.detail")?.contains("address 2 must have a port") == true)
    }
}
