import Cryptography
import TestSupport
import Testing

struct PublicKeyTests {
    private func rsa(_ padding: PublicKey.Padding) throws -> PublicKey {
        try PublicKey(rsaModulus: Vectors.modulus, exponent: Vectors.exponent, padding: padding)
    }

    /// Checks the signature, and that no change of a byte of it or of the message is accepted.
    private func check(_ key: PublicKey, _ signature: [UInt8], _ message: [UInt8]) {
        #expect(key.isValid(signature, for: message))
        #expect(!key.isValid(signature, for: message + [0]))
        #expect(!key.isValid([], for: message))
        #expect(!key.isValid(signature + [0], for: message))
        #expect(!key.isValid([0] + signature, for: message))
        #expect(!key.isValid(Array(signature.dropLast()), for: message))
        #expect(!key.isValid(Array(repeating: 0, count: signature.count), for: message))
        #expect(!key.isValid(Array(repeating: 255, count: signature.count), for: message))
        for index in stride(from: 0, to: signature.count, by: 7) {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.isValid(changed, for: message), "\(index)")
        }
    }

    @Test func `published signatures are valid, and no other`() throws {
        check(try rsa(.pkcs1), Vectors.rs256, Vectors.signedByRSA)
        check(try rsa(.pss), Vectors.pss, Vectors.signedByRSA)
        check(try PublicKey(.p256, point: Vectors.p256), Vectors.es256, Vectors.signedByP256)
        check(try PublicKey(.p384, point: Vectors.p384), Vectors.es384, Array("sample".utf8))
        check(try PublicKey(ed25519: Vectors.ed25519), Vectors.eddsa, [0x72])
    }

    @Test func `a signature of RSA counts with its own padding, salt and length only`() throws {
        #expect(try !rsa(.pkcs1).isValid(Vectors.pss, for: Vectors.signedByRSA))
        #expect(try !rsa(.pss).isValid(Vectors.rs256, for: Vectors.signedByRSA))
        #expect(try !rsa(.pss).isValid(Vectors.pssWithoutSalt, for: Vectors.signedByRSA))
        // libcrypto alone accepts RSASSA-PSS without the zero that the number begins with.
        let message = Array("99".utf8)
        #expect(try rsa(.pss).isValid(Vectors.pssLeadingZero, for: message))
        #expect(try !rsa(.pss).isValid(Array(Vectors.pssLeadingZero.dropFirst()), for: message))
    }

    @Test func `RSA keys of other sizes or with even numbers are refused`() {
        func isKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> Bool {
            (try? PublicKey(rsaModulus: modulus, exponent: exponent, padding: .pkcs1)) != nil
        }
        let modulus = Vectors.modulus
        #expect(isKey(modulus, [1, 0, 1]))
        #expect(isKey([0] + modulus, [0, 3]), "leading zeros are no part of the number")
        #expect(isKey(modulus, [1, 0, 0, 0, 1]), "33 bits")
        #expect(!isKey(modulus, [2, 0, 0, 0, 1]), "34 bits")
        for exponent in [[], [0], [1], [2], [1, 0, 0]] as [[UInt8]] { #expect(!isKey(modulus, exponent), "\(exponent)") }
        #expect(!isKey([0] + modulus.dropFirst(), [1, 0, 1]), "2,040 bits in 2,048")
        #expect(!isKey([0x7F] + modulus.dropFirst(), [1, 0, 1]), "2,047 bits")
        #expect(!isKey(Array(modulus.dropLast()) + [0], [1, 0, 1]), "even")
        #expect(!isKey([], [1, 0, 1]))
        #expect(isKey(Array(repeating: 255, count: 1024), [1, 0, 1]))
        #expect(!isKey([1] + Array(repeating: 255, count: 1024), [1, 0, 1]), "8,193 bits")
    }

    @Test func `points that are not on the curve are refused`() {
        func isKey(_ curve: PublicKey.Curve, _ point: [UInt8]) -> Bool { (try? PublicKey(curve, point: point)) != nil }
        for (curve, point) in [(PublicKey.Curve.p256, Vectors.p256), (.p384, Vectors.p384)] {
            var other = point
            other[point.count - 1] ^= 1
            #expect(isKey(curve, point))
            #expect(!isKey(curve, other))
            #expect(!isKey(curve, Array(repeating: 0, count: point.count)))
            #expect(!isKey(curve, Array(repeating: 255, count: point.count)), "not below the field's prime")
            #expect(!isKey(curve, Array(point.dropLast())))
            #expect(!isKey(curve, point + [0]))
            #expect(!isKey(curve, []))
        }
        #expect((try? PublicKey(ed25519: Array(Vectors.ed25519.dropLast()))) == nil)
    }

    @Test func `a failure leaves nothing in the thread's error queue`() throws {
        #expect(throws: CryptographyError.self) { try PublicKey(.p256, point: Array(repeating: 0, count: 64)) }
        #expect(try !rsa(.pkcs1).isValid(Vectors.pss, for: Vectors.signedByRSA))
        #expect(throws: CryptographyError.self) {
            try ChaChaPoly.open(Array(repeating: 0, count: 40), key: Array(repeating: 0, count: 32), authenticating: [])
        }
        #expect(SigningKey.oldestError() == 0)
    }

    @Test func `one key verifies in several threads at once`() async throws {
        let (signer, message) = (try SigningKey(.p256), Array("signed".utf8))
        let key = try PublicKey(.p256, point: signer.publicBytes())
        let signature = try signer.sign(message)
        let valid = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<200).count { key.isValid(signature, for: $0.isMultiple(of: 2) ? message : message + [0]) }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(valid == 400)
    }
}
