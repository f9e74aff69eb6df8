/// Connections that publish messages, each one at a time.
final class StreamPublisher {
    private struct Connection {
        let descriptor: Int32
        var reader = ResponseReader()
        var isBusy = false
    }

    private let target: StreamTarget
    private var connections: [Connection] = []
    private var free: [Int] = []
    private(set) var refused = 0
    /// Text of the first refusal.
    private(set) var refusal = ""

    init(_ target: StreamTarget) { self.target = target }

    /// Opens the connections; called right before they are needed, as servers close connections without a request.
    func open(_ count: Int) throws(LoadFailure) {
        for index in 0..<count {
            connections.append(Connection(descriptor: try LoadSocket.open(port: target.port)))
            free.append(index)
        }
    }

    var descriptors: [Int32] { connections.map(\.descriptor) }
    var canPublish: Bool { !free.isEmpty }

    func publish(_ number: Int) throws(LoadFailure) {
        guard !free.isEmpty else { return }
        // Uses the connections in turn, so that none is idle for long.
        let index = free.removeFirst()
        connections[index].isBusy = true
        guard LoadSocket.send(target.publication(number), to: connections[index].descriptor) else {
            throw LoadFailure("a message was not taken")
        }
    }

    func received(_ bytes: Span<UInt8>, by index: Int) {
        var responses = 0
        var refusals: [String] = []
        connections[index].reader.feed(bytes) { answer, head in
            responses += 1
            guard head.status >= 300 else { return }
            var text: [UInt8] = []
            for at in answer.indices { text.append(answer[at]) }
            refusals.append(String(decoding: text, as: UTF8.self))
        }
        refused += refusals.count
        if refusal.isEmpty, let first = refusals.first { refusal = first }
        guard responses > 0, connections[index].isBusy else { return }
        connections[index].isBusy = false
        free.append(index)
    }
}
