import TestSupport

typealias Client = BlockingSocket

extension BlockingSocket {
    /// A response as received.
    struct Reply {
        let head: ResponseHead
        var body = ""

        var status: Int { head.status }

        func header(_ name: String) -> String? { head.header(name) }
    }

    /// Reads one response, skipping 100 Continue; a response to HEAD has no body despite its Content-Length.
    func reply(toHead: Bool = false) throws -> Reply {
        while true {
            var reply = Reply(head: try readHead())
            if reply.status == 100 { continue }
            let length = Int(reply.header("Content-Length") ?? "0") ?? 0
            if !toHead { reply.body = String(decoding: try read(length), as: UTF8.self) }
            return reply
        }
    }

    func request(_ text: String) throws -> Reply {
        send(text)
        return try reply()
    }
}
