import Cryptography
import Testing

struct DigestTests {
    private static let long = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)

    /// FIPS 180-4's examples, as NIST publishes them.
    @Test(arguments: [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (Array(repeating: 0x61, count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `SHA-256 of the published examples`(_ data: [UInt8], _ digest: String) {
        #expect(Array(SHA256.hash(data: data)) == Vectors.bytes(digest))
    }

    @Test func `pieces of every length across block borders have the digest of the whole`() {
        let data = (0..<200).map { UInt8($0) }
        let whole = SHA256.hash(data: data)
        for length in 1...130 {
            var hasher = SHA256()
            for start in stride(from: 0, to: data.count, by: length) {
                hasher.update(data: data[start..<min(start + length, data.count)].span)
            }
            #expect(hasher.finalize() == whole, "\(length)")
        }
    }

    @Test func `a copy of the state continues by itself`() {
        var first = SHA256()
        first.update(data: Array("ab".utf8))
        var second = first
        first.update(data: Array("c".utf8))
        second.update(data: Array("d".utf8))
        #expect(first.finalize() == SHA256.hash("abc"))
        #expect(second.finalize() == SHA256.hash("abd"))
        #expect(second.finalize() == SHA256.hash("abd"), "finalize changes nothing")
    }

    @Test func `the parts of a digest agree with its bytes`() {
        let digest = SHA256.hash("abc")
        #expect(digest.leadingBits == 0xBA78_16BF_8F01_CFEA_4141_40DE_5DAE_2223)
        #expect(digest.words.3 == 0xB410_FF61_F200_15AD)
        #expect(digest != SHA256.hash("abd"))
    }

    @Test func `SHA-1 of the published example`() {
        #expect(InsecureSHA1.hash(data: Array("abc".utf8)) == Vectors.bytes("a9993e364706816aba3e25717850c26c9cd0d89d"))
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test(
        arguments: [
            (Array(repeating: 0x0B, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Array(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], String, String)])
    func `HMAC of the published examples`(_ key: [UInt8], _ text: String, _ digits: String) {
        let (hmac, message, code) = (HMACSHA256(key: key), Array(text.utf8), Vectors.bytes(digits))
        #expect(Array(hmac.code(for: message)) == code)
        #expect(hmac.isValid(code, for: message))
        #expect(!hmac.isValid(code, for: message + [0]))
        #expect(!hmac.isValid(Array(code.dropLast()), for: message))
        #expect(!hmac.isValid(code + [0], for: message))
        for index in code.indices {
            var changed = code
            changed[index] ^= 1
            #expect(!hmac.isValid(changed, for: message))
        }
    }
}
