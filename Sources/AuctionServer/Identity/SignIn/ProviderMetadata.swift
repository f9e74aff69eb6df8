internal import ExactJSON
internal import OutboundHTTP

/// What a provider says of itself, as far as it is used here (OpenID Connect Discovery 1.0, section 4).
struct ProviderMetadata {
    /// Where the provider's keys are.
    let keysURL: String
    /// Where a browser signs its user in; nil if the provider names no usable addresses for that.
    let endpoints: SignInEndpoints?

    /// - Throws: `ServerError` that completes the sentence "the provider …".
    init(_ bytes: [UInt8], of issuer: String) throws(ServerError) {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(bytes, limits: .trusted(depth: 16))
        } catch {
            throw ServerError("describes itself in no JSON")
        }
        // Section 4.3: what is found must be about the provider that was asked for, or one could speak for another.
        guard case .string(let name) = document["issuer"], name.hasSameBytes(as: issuer) else {
            throw ServerError("names another issuer than the one that was asked for")
        }
        guard case .string(let url) = document["jwks_uri"] else { throw ServerError("does not say where its keys are") }
        do throws(DestinationRefusal) {
            try AddressPolicy.operatorsSystems.check(url)
        } catch {
            throw ServerError("has its keys at \(url.prefix(200)), which \(error)")
        }
        keysURL = url
        endpoints = SignInEndpoints(document["authorization_endpoint"], document["token_endpoint"])
    }
}

/// The addresses of a provider that a page uses to sign a user in by the Authorization Code flow.
struct SignInEndpoints: Hashable, Sendable {
    /// Where the browser is sent.
    let authorization: String
    /// Where the page exchanges the code for an ID token.
    let token: OutboundURL

    /// Nil unless both are addresses that a page may use: https, or http on this machine.
    fileprivate init?(_ authorization: JSONValue?, _ token: JSONValue?) {
        guard case .string(let authorization) = authorization, case .string(let token) = token,
            (try? AddressPolicy.operatorsSystems.check(authorization)) != nil,
            (try? AddressPolicy.operatorsSystems.check(token)) != nil, let token = try? OutboundURL(token)
        else { return nil }
        (self.authorization, self.token) = (authorization, token)
    }
}
