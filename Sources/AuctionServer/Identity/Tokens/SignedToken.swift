internal import ExactJSON

/// A JSON Web Signature in compact form (RFC 7515), parsed strictly; its signature is not verified here.
struct SignedToken {
    /// More than a request header may have, and than a token needs.
    static let limitBytes = 16384

    /// Algorithm the token claims; only compared with the key's algorithm, never used to choose one.
    let algorithm: String
    let keyID: String?
    /// Whether its type says that it is for access and hence no ID token (RFC 9068).
    let isAccessToken: Bool
    let payload: [UInt8]
    let signature: [UInt8]
    let signedBytes: [UInt8]

    /// Nil if the text is not such a token, or if another parser could read it differently.
    init?(_ token: String) {
        guard token.utf8.count <= Self.limitBytes else { return nil }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty
        else { return nil }
        self.payload = payload
        self.signature = signature
        signedBytes = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
        do throws(JSONError) {
            var fields = try JSONFields(try JSONReader.read(header, maximumDepth: 4))
            algorithm = try fields.string("alg")
            let keyID = fields.take("kid")
            let type = fields.take("typ")
            // RFC 7515 section 4.1.11: unknown critical extensions must be refused. None is supported, and `b64` would change what
            // was signed.
            guard fields.take("crit") == nil, fields.take("b64") == nil else { return nil }
            switch keyID {
            case nil: self.keyID = nil
            case .string(let text): self.keyID = text
            default: return nil
            }
            guard Self.isForAccess(type) else { return nil }
            isAccessToken = if case .string(let text) = type { text.lowercased().hasSuffix("at+jwt") } else { false }
        } catch {
            return nil
        }
        // Other headers such as `jwk`, `jku`, `x5u` and `x5c` name a key to use; they are ignored, as keys come from the configured
        // set only.
    }

    /// A token with a `typ` must be an access token (RFC 8725 section 3.11): the same provider signs logout tokens, proofs and
    /// events with the same key.
    private static func isForAccess(_ type: JSONValue?) -> Bool {
        switch type {
        case nil: true
        case .string(let text): ["jwt", "at+jwt", "application/jwt", "application/at+jwt"].contains(text.lowercased())
        default: false
        }
    }
}
