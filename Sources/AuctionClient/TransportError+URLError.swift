import AuctionClientCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How far a request had come when its task ended.
struct RequestProgress {
    /// Bytes of the body that were sent. Without its whole body the service carries out nothing, but the bytes of the head are not counted.
    var sentBytes: Int64 = 0
    var hasBody = true
    /// Whether it only reads, so that nothing is carried out.
    var isRead = false
    var hasResponse = false
}

extension RequestProgress {
    init(_ task: URLSessionTask) {
        let request = task.originalRequest
        sentBytes = task.countOfBytesSent
        hasBody = request?.httpBody != nil
        isRead = ["GET", "HEAD"].contains(request?.httpMethod ?? "GET")
        hasResponse = task.response != nil
    }
}

extension TransportError {
    /// The error with which a task ended.
    init(_ error: any Error, _ progress: RequestProgress) {
        guard let error = error as? URLError else {
            self = .interrupted(String(describing: error))
            return
        }
        let text = error.localizedDescription
        let isUntouched = progress.sentBytes == 0 && !progress.hasResponse
        self =
            switch error.code {
            case .cancelled: .cancelled
            // No connection was made.
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .badURL, .unsupportedURL,
                .appTransportSecurityRequiresSecureConnection, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateHasBadDate, .serverCertificateNotYetValid, .clientCertificateRequired,
                .clientCertificateRejected:
                isUntouched ? .notSent(text) : .interrupted(text)
            // The device has no network: from the beginning, or only since the request was sent.
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
                isUntouched && (progress.hasBody || progress.isRead) ? .notSent(text) : .interrupted(text)
            default: .interrupted(text)
            }
    }
}
