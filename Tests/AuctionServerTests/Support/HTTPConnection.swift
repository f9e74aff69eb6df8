import HTTPContract
import TestSupport

/// A keep-alive connection to the server; reads have a timeout, so that a test fails instead of hanging.
final class HTTPConnection {
    typealias Failure = BlockingSocket.Failure

    private let socket: BlockingSocket

    /// - Parameter receiveBytes: size of the kernel's receive buffer; small to simulate a slow reader.
    init(port: UInt16, receiveBytes: Int32? = nil) throws {
        socket = try BlockingSocket(port: port, receiveSeconds: 10, receiveBytes: receiveBytes)
    }

    func close() { socket.close() }

    func send(_ request: HTTPRequest) throws {
        guard socket.send(request.bytes) else { throw Failure(description: "the server hung up on \(request.path)") }
    }

    /// The response to the oldest outstanding request.
    func receive(toHead: Bool = false) throws -> HTTPResponse {
        let head = try socket.readHead()
        var response = HTTPResponse(status: head.status, headers: head.headers, body: [])
        let hasBody = !toHead && head.status != 204 && head.status != 304
        if hasBody { response.body = try socket.read(Int(response.header("Content-Length") ?? "0") ?? 0) }
        return response
    }
}
