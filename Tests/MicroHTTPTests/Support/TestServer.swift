import Dispatch
import Logging
@testable import MicroHTTP
import Synchronization
import WebSocketFrames

/// The routes of the tests; each is named after what it does.
final class TestHandler: ExchangeHandler {
    /// Counters that tests may read from their own thread.
    final class Record: Sendable {
        let handled = Atomic<Int>(0)
        let hangUps = Atomic<Int>(0)
        let drained = Atomic<Int>(0)
        let turns = Atomic<Int>(0)
        let ended = Atomic<Int>(0)
        /// How many requests had been handled when the last `/hello` was.
        let handledAtHello = Atomic<Int>(0)
    }

    let record: Record
    let loop: EventLoop
    var suspended: [ExchangeID] = []
    var respondsToSuspendedOnDrain = true
    /// Called before an exchange of `/late` is watched, which is one turn after it was handled.
    var beforeWatch: @Sendable () -> Void = {}
    /// Open WebSockets and streams.
    var sinks: [ObjectIdentifier: any StreamSink] = [:]
    /// The buffer that responses of `/shared` share until a test clears it.
    var prefix: SharedBytes?
    var socketOptions = WebSocketConnection.Options()
    var streamOptions = ResponseStream.Options()
    /// The messages of WebSockets that were received in the latest turn with any, and the most in one turn.
    private var messagesOfTurn: (turn: UInt64, count: Int) = (0, 0)
    private(set) var mostMessagesOfTurn = 0

    private static let router: Router<String> = {
        var router = Router<String>()
        router.on(.get, "/hello", "hello")
        router.on(.post, "/echo", "echo")
        router.on(.post, "/file", "echo")
        router.on(.get, "/about", "about")
        router.on(.get, "/hold", "hold")
        router.on(.post, "/hold", "hold")
        router.on(.get, "/watch", "watch")
        router.on(.get, "/late", "late")
        router.on(.post, "/posted", "posted")
        router.on(.get, "/twice", "twice")
        router.on(.get, "/socket", "socket")
        router.on(.get, "/stream", "stream")
        router.on(.get, "/shared", "shared")
        router.on(.get, "/large", "large")
        return router
    }()

    init(loop: EventLoop, record: Record) {
        self.loop = loop
        self.record = record
    }

    func handle(_ exchange: Exchange) {
        record.handled.add(1, ordering: .relaxed)
        switch TestHandler.router.match(exchange.method, exchange.path) {
        case .found(let route, _): respond(TestHandler.router[route], exchange)
        case .notFound: exchange.respond(Response(status: 404, contentType: "text/plain", text: "not found"))
        case .methodNotAllowed(let allow):
            let names = allow.map(\.rawValue).joined(separator: ", ")
            exchange.respond(Response(status: 405, headers: [("Allow", names)]))
        }
    }

    private func respond(_ name: String, _ exchange: Exchange) {
        switch name {
        case "hello":
            record.handledAtHello.store(record.handled.load(ordering: .relaxed), ordering: .relaxed)
            exchange.respond(Response(status: 200, contentType: "text/plain", text: "hello"))
        case "shared":
            let shared = prefix ?? SharedBytes(Array(repeating: 65, count: 1_000_000), in: loop.core.responses)
            prefix = shared
            var response = Response(status: 200, contentType: "text/plain", text: "end")
            response.prefix = shared
            exchange.respond(response)
        case "large":
            exchange.respond(Response(status: 200, body: Array(repeating: 66, count: 1_000_000)))
        case "twice":
            exchange.respond(Response(status: 200, contentType: "text/plain", text: "first"))
            exchange.respond(Response(status: 200, contentType: "text/plain", text: "second"))
        case "echo":
            exchange.respond(Response(status: 201, headers: [], body: exchange.body))
        case "about":
            let lines = [
                exchange.method.rawValue, exchange.path, exchange.query ?? "-", exchange.header("x-one") ?? "-",
                exchange.headers("X-Many").joined(separator: "+"), exchange.remoteAddress,
            ]
            exchange.respond(Response(status: 200, contentType: "text/plain", text: lines.joined(separator: "\n")))
        case "watch":
            suspended.append(exchange.id)
            exchange.watchHangUp { [record] in record.hangUps.add(1, ordering: .relaxed) }
        case "late":
            let (id, loop, record, beforeWatch) = (exchange.id, exchange.loop, record, beforeWatch)
            loop.post {
                beforeWatch()
                loop.exchange(id)?.watchHangUp { record.hangUps.add(1, ordering: .relaxed) }
            }
        case "posted":
            let (id, loop, body) = (exchange.id, exchange.loop, exchange.body)
            DispatchQueue.global().async {
                loop.post { loop.exchange(id)?.respond(Response(status: 200, body: body)) }
            }
        case "socket":
            openSocket(exchange)
        case "stream":
            guard let stream = exchange.stream(headers: [("Content-Type", "text/event-stream")], options: streamOptions)
            else { return }
            keep(stream)
        default:
            suspended.append(exchange.id)
        }
    }

    /// Echoes messages.
    private func openSocket(_ exchange: Exchange) {
        do throws(WebSocketHandshake.Failure) {
            let handshake = try WebSocketHandshake(exchange)
            let subprotocol = handshake.offered.first { $0 == "test.v1" }
            guard let socket = exchange.upgrade(handshake, subprotocol: subprotocol, options: socketOptions) else { return }
            socket.onMessage = { [unowned self, unowned socket] message in
                countMessage()
                socket.send(message)
            }
            keep(socket)
        } catch {
            var response = refuse(error.refusal, exchange)
            response.headers += error.headers
            exchange.respond(response)
        }
    }

    private func countMessage() {
        let turn = loop.core.turns.number
        messagesOfTurn = (turn, messagesOfTurn.turn == turn ? messagesOfTurn.count + 1 : 1)
        mostMessagesOfTurn = max(mostMessagesOfTurn, messagesOfTurn.count)
    }

    private func keep(_ sink: any StreamSink) {
        let id = ObjectIdentifier(sink)
        sinks[id] = sink
        sink.onEnd = { [unowned self] in
            sinks[id] = nil
            record.ended.add(1, ordering: .relaxed)
        }
    }

    func sendToAll(_ text: String, framed: Bool) {
        let bytes = Array(text.utf8)
        let shared = SharedBytes(framed ? ServerFrame.text(bytes) : bytes)
        for sink in Array(sinks.values) { sink.send(shared) }
    }

    /// Only `/file` takes large bodies, of up to 200,000 bytes, for the user that a header names and their network.
    func bodyAllowance(of exchange: Exchange) -> BodyAllowance {
        guard exchange.path == "/file" else { return .regular }
        guard let user = exchange.header("X-User") else {
            return .refused(Response(status: 401, contentType: "text/plain", text: "no user"))
        }
        return .upTo(bytes: 200_000, owners: [.user(user)] + (exchange.connectionNetwork.map { [.network($0)] } ?? []))
    }

    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response {
        Response(status: refusal.status, contentType: "text/plain", text: "\(refusal.code): \(refusal.detail)")
    }

    func drain() {
        record.drained.add(1, ordering: .relaxed)
        if respondsToSuspendedOnDrain { respondToSuspended("drained") }
        for sink in Array(sinks.values) { sink.close(CloseStatus(.goingAway)) }
    }

    func turnEnded() {
        record.turns.add(1, ordering: .relaxed)
    }

    func respondToSuspended(_ text: String) {
        for id in suspended { loop.exchange(id)?.respond(Response(status: 200, contentType: "text/plain", text: text)) }
        suspended = []
    }
}

/// A started server with one `TestHandler` per loop, stopped at the end of its test.
final class TestServer: Sendable {
    let server: HTTPServer
    let record = TestHandler.Record()
    private let handlers: Mutex<[HandlerBox]>

    // Used only in jobs posted to its loop.
    private struct HandlerBox: @unchecked Sendable {
        let handler: TestHandler
    }

    init(threads: Int = 1, _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        configuration.threads = threads
        configure(&configuration)
        let made = Mutex<[HandlerBox]>([])
        server = try HTTPServer(configuration: configuration, logger: Logger(label: "test")) { [record] loop in
            let handler = TestHandler(loop: loop, record: record)
            let box = HandlerBox(handler: handler)
            made.withLock { $0.append(box) }
            return handler
        }
        handlers = Mutex(made.withLock { $0 })
        try server.start()
    }

    deinit { server.stop(within: 0) }

    var port: UInt16 { server.port }

    func client(receiveSeconds: Int = 5, from source: UInt32 = 0x7F00_0001) throws -> Client {
        try Client(port: port, receiveSeconds: receiveSeconds, from: source)
    }

    /// Runs a job on a loop's thread and returns its result; nil after 5 seconds.
    func onLoop<Value: Sendable>(_ index: Int = 0, _ job: @escaping @Sendable (TestHandler, EventLoop) -> Value) -> Value? {
        let box = handlers.withLock { $0[index] }
        let loop = server.loops[index]
        let shared = Shared<Value>()
        loop.post {
            let value = job(box.handler, loop)
            shared.result.withLock { $0 = value }
            shared.done.signal()
        }
        guard shared.done.wait(timeout: .now() + 5) == .success else { return nil }
        return shared.result.withLock { $0 }
    }

    var suspendedCount: Int { onLoop { _, loop in loop.core.suspendedCount } ?? -1 }
    var sinkCount: Int { onLoop { handler, _ in handler.sinks.count } ?? -1 }
    /// Connections that libmicrohttpd has.
    var daemonCount: Int { onLoop { _, loop in loop.core.daemons.connectionCount } ?? -1 }
    var openCount: Int { onLoop { _, loop in loop.core.connections.count } ?? -1 }
}

extension LoopCore {
    /// The number of exchanges whose connection is suspended until their response.
    var suspendedCount: Int { connections.all.count { $0.exchange?.phase == .suspended } }
}

private final class Shared<Value: Sendable>: Sendable {
    let result = Mutex<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
}
