internal import MicroHTTP

/// Paths of the certificate and its key; empty if the server uses plain HTTP.
struct TLSSettings: Sendable {
    var certificate = ""
    var key = ""

    /// Reads certificate and key; nil if the server uses plain HTTP.
    /// - Throws: `ConfigurationError` that names the option and variable, or the file, and contains none of the file's content.
    func load() throws(ConfigurationError) -> TLSIdentity? {
        guard !certificate.isEmpty || !key.isEmpty else { return nil }
        let certificateText = try certificate.isEmpty ? "" : Self.read(certificate, "the TLS certificate")
        let keyText = try key.isEmpty ? "" : Self.read(key, "the TLS key")
        try ServeOption.tlsKey.check(!certificate.isEmpty, "needs --tls-cert")
        try ServeOption.tlsCertificate.check(!key.isEmpty, "needs --tls-key")
        do throws(HTTPServerError) {
            return try TLSIdentity(certificate: certificateText, key: keyText)
        } catch {
            throw ConfigurationError("the TLS certificate \(certificate) and the key \(key) \(error.message)")
        }
    }

    private static func read(_ path: String, _ what: String) throws(ConfigurationError) -> String {
        String(decoding: try contents(of: path, what, limit: 1 << 20), as: UTF8.self)
    }
}
