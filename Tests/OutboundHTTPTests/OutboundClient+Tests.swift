import IPAddresses
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

extension OutboundClient {
    /// Sends a request, waits, and returns what becomes of it. It blocks the test's thread: tests that took turns on it could be so far
    /// apart that connections are closed in between.
    func result(of request: OutboundRequest) -> Result<OutboundResponse, OutboundFailure> {
        let result = Mutex<Result<OutboundResponse, OutboundFailure>?>(nil)
        do throws(OutboundFailure) {
            try send(request) { completed in result.withLock { $0 = completed } }
        } catch {
            return .failure(error)
        }
        guard eventually(seconds: 120, { result.withLock { $0 != nil } }), let result = result.withLock({ $0 }) else {
            Issue.record("a request has no result")
            return .failure(.timeout)
        }
        return result
    }

    /// Why a request fails; nil if it has a response.
    func failure(of request: OutboundRequest) -> OutboundFailure? {
        if case .failure(let failure) = result(of: request) { failure } else { nil }
    }
}

extension OutboundRequest {
    /// A request to a server of the test.
    static func get(_ server: ScriptedServer, _ path: String = "/") -> OutboundRequest {
        OutboundRequest(.get, "http://127.0.0.1:\(server.port)\(path)", policy: .operatorsSystems)
    }
}

/// A response with a body.
func httpResponse(_ body: String, status: String = "200 OK", headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
}
