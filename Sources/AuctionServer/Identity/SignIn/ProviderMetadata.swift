internal import ExactJSON
internal import OutboundHTTP

/// What a provider says of itself, as far as it is used here (OpenID Connect Discovery 1.0, section 4).
struct ProviderMetadata {
    /// Where the provider's keys are.
    let keysURL: String

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
    }
}
