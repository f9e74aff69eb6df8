@testable import AuctionServer
import Testing

struct Base64URLTests {
    @Test func `bytes of every length are decoded again, and have one encoding only`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text.utf8) == bytes)
            #expect(Base64URL.decode((text + "=").utf8) == nil)
            #expect(Base64URL.decode((text + "\n").utf8) == nil)
        }
        #expect(Base64URL.encode(Array("light work.".utf8)) == "bGlnaHQgd29yay4")
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AAB", "-_9", "+/8", "AA==", " AA", "A A", "é"])
    func `a text that encoding would not produce is refused`(_ text: String) { #expect(Base64URL.decode(text.utf8) == nil) }
}
