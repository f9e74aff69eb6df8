internal import ArgumentParser
internal import Dispatch
internal import Glibc
internal import Logging
internal import MicroHTTP
internal import WebSocketFrames

/// Echoes every WebSocket message, using the server's own implementation: the target of protocol conformance tests.
@main
struct WebSocketEcho: ParsableCommand {
    @Option(help: "Port to listen on; 0 lets the system choose one.")
    var port: UInt16 = 9001

    func run() throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        let server = try HTTPServer(configuration: configuration, logger: Logger(label: "websocket-echo")) { _ in
            EchoHandler()
        }
        try server.start()
        // Test scripts wait for this line on a pipe.
        print("websocket-echo is ready at 127.0.0.1:\(server.port)")
        // Standard output is buffered unless it is a terminal.
        _ = fflush(nil)
        let ended = DispatchSemaphore(value: 0)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { ended.signal() }
            source.resume()
            return source
        }
        ended.wait()
        withExtendedLifetime(sources) {}
        server.stop(within: 1)
    }
}
