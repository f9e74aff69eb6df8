import IPAddresses
import OutboundHTTP
import TestSupport

extension OutboundClient {
    /// Sends a request and returns what becomes of it.
    func result(of request: OutboundRequest) async -> Result<OutboundResponse, OutboundFailure> {
        await withCheckedContinuation { continuation in
            do throws(OutboundFailure) {
                try send(request) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }

    /// Why a request fails; nil if it has a response.
    func failure(of request: OutboundRequest) async -> OutboundFailure? {
        if case .failure(let failure) = await result(of: request) { failure } else { nil }
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
