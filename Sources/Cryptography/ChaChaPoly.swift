internal import CCrypto

/// Authenticated encryption with ChaCha20-Poly1305 (RFC 8439). The sealed form is the nonce, the encrypted text and the tag.
package enum ChaChaPoly {
    private static let nonceBytes = 12
    private static let tagBytes = 16
    private static let keyBytes = 32

    /// Encrypts a text under a random nonce.
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - associated: bytes that are authenticated, but not a part of the result.
    package static func seal(
        _ text: [UInt8], key: [UInt8], authenticating associated: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let nonce: [UInt8] = (0..<nonceBytes).map { _ in generator.next() }
        let cipher = try Cipher(key: key, nonce: nonce, encrypts: true)
        try cipher.authenticate(associated)
        let encrypted = try cipher.process(text)
        return nonce + encrypted + (try cipher.tag())
    }

    /// Decrypts what `seal` returned.
    /// - Throws: if key, associated or sealed bytes are not the ones that were sealed.
    package static func open(
        _ sealed: [UInt8], key: [UInt8], authenticating associated: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard sealed.count >= nonceBytes + tagBytes else { throw CryptographyError("a sealed text is too short") }
        let cipher = try Cipher(key: key, nonce: Array(sealed.prefix(nonceBytes)), encrypts: false)
        try cipher.require(tag: Array(sealed.suffix(tagBytes)))
        try cipher.authenticate(associated)
        return try cipher.process(Array(sealed[nonceBytes..<sealed.count - tagBytes]))
    }

    /// One use of the cipher. `@safe`: the context is valid as long as the object, and each call passes the pointer and the size of
    /// the same array.
    @safe private final class Cipher {
        private let context: OpaquePointer

        init(key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptographyError) {
            guard key.count == keyBytes, nonce.count == nonceBytes, let context = unsafe EVP_CIPHER_CTX_new() else {
                throw CryptographyError("cannot prepare the cipher")
            }
            unsafe self.context = context
            // SAFETY: the arrays have the lengths that the cipher reads, and are valid during the call.
            guard unsafe EVP_CipherInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce, encrypts ? 1 : 0) == 1 else {
                throw CryptographyError("cannot prepare the cipher")
            }
        }

        deinit {
            // SAFETY: nothing else has the context.
            unsafe EVP_CIPHER_CTX_free(context)
        }

        func authenticate(_ bytes: [UInt8]) throws(CryptographyError) {
            var count: Int32 = 0
            // SAFETY: without an output the bytes are only authenticated; the array's pointer and count are valid during the call.
            guard unsafe EVP_CipherUpdate(context, nil, &count, bytes, Int32(clamping: bytes.count)) == 1 else {
                throw CryptographyError("cannot authenticate")
            }
        }

        /// Encrypts or decrypts all bytes; decrypting fails if the required tag is not theirs.
        func process(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
            var output = [UInt8](repeating: 0, count: bytes.count)
            var (count, rest): (Int32, Int32) = (0, 0)
            // SAFETY: a stream cipher writes as many bytes as it reads, and none at the end; both arrays are valid during the calls.
            guard unsafe EVP_CipherUpdate(context, &output, &count, bytes, Int32(clamping: bytes.count)) == 1,
                unsafe EVP_CipherFinal_ex(context, nil, &rest) == 1, Int(count) == bytes.count
            else { throw CryptographyError("cannot encrypt, or not decrypt these bytes") }
            return output
        }

        func tag() throws(CryptographyError) -> [UInt8] {
            var tag = [UInt8](repeating: 0, count: tagBytes)
            // SAFETY: the array has the 16 bytes that are written.
            guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), &tag) == 1 else {
                throw CryptographyError("there is no tag")
            }
            return tag
        }

        func require(tag: [UInt8]) throws(CryptographyError) {
            var tag = tag
            // SAFETY: the array has the 16 bytes that are read; the cipher copies them.
            guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
                throw CryptographyError("cannot use the tag")
            }
        }
    }
}
