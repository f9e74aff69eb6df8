/// Connections that publish, each one message at a time.
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
    /// What was said to the first that was refused.
    private(set) var refusal = ""

    init(_ target: StreamTarget, connections count: Int) throws(LoadFailure) {
        self.target = target
        for index in 0..<count {
            connections.append(Connection(descriptor: try LoadSocket.open(port: target.port)))
            free.append(index)
        }
    }

    var descriptors: [Int32] { connections.map(\.descriptor) }
    var canPublish: Bool { !free.isEmpty }

    func publish(_ number: Int) throws(LoadFailure) {
        guard let index = free.popLast() else { return }
        connections[index].isBusy = true
        guard LoadSocket.send(target.publication(number), to: connections[index].descriptor) else {
            throw LoadFailure("a message was not taken")
        }
    }

    func received(_ bytes: Span<UInt8>, by index: Int) {
        var answers = 0
        var refusals: [String] = []
        connections[index].reader.feed(bytes) { answer, head in
            answers += 1
            guard head.status >= 300 else { return }
            var text: [UInt8] = []
            for at in answer.indices { text.append(answer[at]) }
            refusals.append(String(decoding: text, as: UTF8.self))
        }
        refused += refusals.count
        if refusal.isEmpty, let first = refusals.first { refusal = first }
        guard answers > 0, connections[index].isBusy else { return }
        connections[index].isBusy = false
        free.append(index)
    }
}
