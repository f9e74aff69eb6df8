import Cryptography
import Testing

struct ChaChaPolyTests {
    private let key = (0x80..<0xA0).map { UInt8($0) }
    private let associated = Vectors.bytes("50515253c0c1c2c3c4c5c6c7")
    private let text = Array(
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
            .utf8)

    @Test func `the published example is opened`() throws {
        #expect(try ChaChaPoly.open(Vectors.sealed, key: key, authenticating: associated) == text)
    }

    @Test(arguments: [0, 1, 114])
    func `what was sealed is opened, with another nonce each time`(_ count: Int) throws {
        let text = Array(text.prefix(count))
        let sealed = try ChaChaPoly.seal(text, key: key, authenticating: associated)
        #expect(sealed.count == count + 28)
        #expect(try ChaChaPoly.open(sealed, key: key, authenticating: associated) == text)
        #expect(try ChaChaPoly.seal(text, key: key, authenticating: associated) != sealed)
    }

    @Test func `no changed byte is opened`() {
        func isOpened(_ sealed: [UInt8], _ key: [UInt8], _ associated: [UInt8]) -> Bool {
            (try? ChaChaPoly.open(sealed, key: key, authenticating: associated)) != nil
        }
        for index in Vectors.sealed.indices {
            var changed = Vectors.sealed
            changed[index] ^= 1
            #expect(!isOpened(changed, key, associated))
        }
        for count in [0, 11, 27, 28, Vectors.sealed.count - 1] {
            #expect(!isOpened(Array(Vectors.sealed.prefix(count)), key, associated))
        }
        #expect(!isOpened(Vectors.sealed, key.reversed(), associated))
        #expect(!isOpened(Vectors.sealed, Array(key.dropLast()), associated))
        #expect(!isOpened(Vectors.sealed, key, []))
    }
}
