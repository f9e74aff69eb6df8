internal import ArgumentParser
internal import Dispatch
internal import Glibc
internal import Logging
internal import MicroHTTP
internal import WebSocketFrames

/// Answers every WebSocket message with the same message, on the server's own code: what protocol tests are run against.
@main
struct WebSocketEcho: ParsableCommand {
    @Option(help: "Port to listen on; 0 takes any free one.")
    var port: UInt16 = 9001

    func run() throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        let server = try HTTPServer(configuration: configuration, logger: Logger(label: "websocket-echo")) { _ in
            EchoHandler()
        }
        try server.start()
        // Tests wait for this line, through a pipe.
        print("websocket-echo is ready at 127.0.0.1:\(server.port)")
        // Buffered where it is no terminal.
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
