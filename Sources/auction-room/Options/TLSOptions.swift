internal import ArgumentParser
internal import Foundation
internal import MicroHTTP

/// Options for serving TLS.
struct TLSOptions: ParsableArguments {
    /// Maximum file size, larger than any certificate chain.
    private static let limitBytes = 1 << 20

    @Option(
        name: .customLong("tls-cert"),
        help: .setting(
            "tls-cert", "Certificate with its chain, PEM: serves HTTPS, and no WebSockets; SIGHUP reads it again.",
            default: "none, plain HTTP"))
    var certificate: String?

    @Option(name: .customLong("tls-key"), help: .setting("tls-key", "Its private key, PEM.", default: "required with tls-cert"))
    var key: String?

    /// Reads certificate and key; nil if the server uses plain HTTP.
    /// - Throws: `ConfigurationError` that names the option, variable or file, and contains none of the file's content.
    func load() throws(ConfigurationError) -> TLSIdentity? {
        let (certificateSetting, keySetting) = (Setting.text("tls-cert", default: ""), Setting.text("tls-key", default: ""))
        let (certificatePath, keyPath) = (try certificateSetting.value(certificate), try keySetting.value(key))
        guard !certificatePath.isEmpty || !keyPath.isEmpty else { return nil }
        let certificateText = try certificatePath.isEmpty ? "" : Self.read(certificatePath, "the TLS certificate")
        let keyText = try keyPath.isEmpty ? "" : Self.read(keyPath, "the TLS key")
        guard !certificatePath.isEmpty else { throw ConfigurationError("\(keySetting.source(key)) needs --tls-cert") }
        guard !keyPath.isEmpty else { throw ConfigurationError("\(certificateSetting.source(certificate)) needs --tls-key") }
        do throws(HTTPServerError) {
            return try TLSIdentity(certificate: certificateText, key: keyText)
        } catch {
            throw ConfigurationError("the TLS certificate \(certificatePath) and the key \(keyPath) \(error.message)")
        }
    }

    private static func read(_ path: String, _ what: String) throws(ConfigurationError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("\(what) \(path) cannot be read")
        }
        guard data.count <= limitBytes else { throw ConfigurationError("\(what) \(path) has more than \(limitBytes) bytes") }
        return String(decoding: data, as: UTF8.self)
    }
}
