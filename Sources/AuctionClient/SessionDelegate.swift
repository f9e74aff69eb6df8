import AuctionClientCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the callbacks of a session on to the channel of each task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Keyed by the identifier of the task.
    private let channels = Locked<[Int: ByteChannel]>([:])

    func register(_ channel: ByteChannel, for task: Int) { channels.withLock { $0[task] = channel } }

    private func channel(_ task: URLSessionTask) -> ByteChannel? { channels.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        channel(dataTask)?.receive(HTTPHead(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if channel(dataTask)?.receive(data) == false { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let channel = channels.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // A redirect that is not followed ends without `didReceive response` on some systems.
        if error == nil, let response = task.response as? HTTPURLResponse { channel?.receive(HTTPHead(response)) }
        channel?.finish(error.map { .failure(TransportError($0, RequestProgress(task))) } ?? .success(()))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}

extension HTTPHead {
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(
            status: response.statusCode,
            headers: response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeader(name, value)
            })
    }
}
