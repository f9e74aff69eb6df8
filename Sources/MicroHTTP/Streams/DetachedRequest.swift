/// A request that came by another way than HTTP, such as in a message of a WebSocket, to be handled like one that came by HTTP: the same
/// handler, the same answers.
public struct DetachedRequest {
    let method: HTTPMethod
    let path: String
    let query: String?
    let body: [UInt8]
    private let fields: [(name: String, value: String)]
    let onAnswer: (Response) -> Void
    /// Makes the stream or WebSocket that the answer is; nil where there can be none.
    var openStream: ((DetachedStream.Opening) -> DetachedStream)?

    /// - Parameters:
    ///   - path: percent-encoded, without a query.
    ///   - query: percent-encoded, without the `?`.
    ///   - onAnswer: called once, on the loop's thread, unless the loop ends before.
    public init(
        method: HTTPMethod, path: String, query: String? = nil, headers: [(name: String, value: String)], body: [UInt8],
        onAnswer: @escaping (Response) -> Void
    ) {
        self.method = method
        self.path = path
        self.query = query
        fields = headers
        self.body = body
        self.onAnswer = onAnswer
    }

    func headers(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension WebSocketConnection: MessageSocket {
    public func handle(_ request: DetachedRequest) {
        guard let connection = core.table[slot], let handler = core.handler else { return }
        core.lastSerial += 1
        let exchange = Exchange(id: .detached(serial: core.lastSerial), connection: connection, detached: request)
        core.detached[exchange.id.rawValue] = exchange
        // The handler's turn ends as it does after requests by HTTP.
        core.hasHandled = true
        core.needsRun = true
        handler.handle(exchange)
    }
}

extension LoopCore {
    func answerDetached(_ exchange: Exchange, _ response: Response) {
        guard detached.removeValue(forKey: exchange.id.rawValue) != nil else { return }
        exchange.phase = .gone
        handler?.finished(exchange, status: response.status)
        exchange.detached?.onAnswer(response.joined)
    }

    /// Answers with a stream whose client is in this process; nil where the request takes none.
    func openDetached(_ exchange: Exchange, _ opening: DetachedStream.Opening) -> DetachedStream? {
        guard let open = exchange.detached?.openStream, detached.removeValue(forKey: exchange.id.rawValue) != nil else {
            return nil
        }
        exchange.phase = .streaming
        handler?.finished(exchange, status: opening.status)
        return open(opening)
    }
}
