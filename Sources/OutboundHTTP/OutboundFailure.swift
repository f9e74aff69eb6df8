internal import CCurl

/// Why a request has no response.
package enum OutboundFailure: Error, Hashable, Sendable {
    /// A header with a line break, or a body that is too long.
    case invalidRequest
    /// The policy does not allow the URL, or an address that its host has.
    case refused(DestinationRefusal)
    /// As many requests are in flight as there may be, in all or to this host.
    case tooManyInFlight
    case stopped
    case timeout
    case nameNotFound
    /// No trust, or no agreement: the text says which.
    case tls(String)
    /// Not connected, or the connection broke.
    case connection(String)
    /// What came is no response by HTTP, or its head is too long.
    case response(String)
    /// libcurl, memory, threads or descriptors.
    case resources(String)
}

extension OutboundFailure: CustomStringConvertible {
    /// A sentence without its full stop, for logs and lists of deliveries.
    package var description: String {
        switch self {
        case .invalidRequest: "The request has a header of several lines, or a body that is too long"
        case .refused(let refusal): "The URL \(refusal)"
        case .tooManyInFlight: "Too many requests are in flight"
        case .stopped: "The service stops"
        case .timeout: "No complete response in time"
        case .nameNotFound: "The host's name was not found"
        case .tls(let text): "TLS failed: \(text)"
        case .connection(let text): "The connection failed: \(text)"
        case .response(let text): "The response is not valid: \(text)"
        case .resources(let text): "The request could not be made: \(text)"
        }
    }
}

extension OutboundFailure {
    /// - Parameter text: libcurl's own, perhaps empty.
    init(_ code: CURLcode, _ text: String) {
        let text = text.isEmpty ? Self.text(of: code) : text
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timeout
        case CURLE_COULDNT_RESOLVE_HOST: self = .nameNotFound
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            self = .tls(text)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_PARTIAL_FILE:
            self = .response(text)
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION:
            self = .resources(text)
        default: self = .connection(text)
        }
    }

    private static func text(of code: CURLcode) -> String {
        // SAFETY: a constant text of the library.
        unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
    }
}
