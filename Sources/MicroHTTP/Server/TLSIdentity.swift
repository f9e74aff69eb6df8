internal import CMicroHTTPDShims

/// A server's TLS certificate with its chain, and its private key.
package struct TLSIdentity: Sendable {
    let certificate: String
    let key: String

    /// - Parameters:
    ///   - certificate: in PEM, the server's own certificate first.
    ///   - key: in PEM, without a passphrase.
    /// - Throws: `HTTPServerError` whose message completes "the TLS certificate and key …" and reveals the contents of neither.
    package init(certificate: String, key: String) throws(HTTPServerError) {
        guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
            throw HTTPServerError(.invalidTLS, "cannot be used: the certificate is not in PEM")
        }
        guard key.contains("PRIVATE KEY-----") else {
            throw HTTPServerError(.invalidTLS, "cannot be used: the key is no private key in PEM")
        }
        guard !key.contains("ENCRYPTED") else {
            throw HTTPServerError(.invalidTLS, "cannot be used: the key is encrypted with a passphrase; supply it unencrypted")
        }
        self.certificate = certificate
        self.key = key
        // SAFETY: the pointers are used during the call only.
        switch unsafe withPointers({ unsafe micro_tls_check($0) }) {
        case 1: return
        case -1: throw HTTPServerError(.invalidTLS, "cannot be used: this libmicrohttpd was built without TLS")
        default:
            throw HTTPServerError(
                .invalidTLS, "cannot be used: the two do not belong together, or one of them is damaged")
        }
    }

    /// Passes both texts to C for the duration of a call.
    func withPointers<Result>(_ body: (UnsafePointer<micro_tls>) -> Result) -> Result {
        // SAFETY: both texts and the structure outlive the call, and C copies what it keeps.
        unsafe certificate.withCString { certificate in
            unsafe key.withCString { key in
                var pair = unsafe micro_tls(certificate: certificate, key: key)
                return unsafe withUnsafePointer(to: &pair) { unsafe body($0) }
            }
        }
    }
}
