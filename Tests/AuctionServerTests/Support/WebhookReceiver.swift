import Cryptography
import ExactJSON
import Synchronization
import TestSupport

/// An endpoint on this machine, which takes messages and says what a test wants.
final class WebhookReceiver: Sendable {
    struct Message: Sendable {
        let id: String
        let type: String
        let request: ReceivedRequest
        let body: JSONValue
    }

    private final class Box: Sendable {
        let messages = Mutex<[Message]>([])
        let respond: Mutex<@Sendable (Message) -> String>

        init(_ respond: @escaping @Sendable (Message) -> String) { self.respond = Mutex(respond) }
    }

    private let box: Box
    private let server: ScriptedServer

    /// - Parameter respond: The status line's rest, such as `500 Out of order`, with headers if there are any; `200 OK` otherwise.
    init(_ respond: @escaping @Sendable (Message) -> String = { _ in "200 OK" }) throws {
        let box = Box(respond)
        self.box = box
        server = try ScriptedServer { request in
            let body = (try? JSONReader.read(request.body, limits: .trusted(depth: 32))) ?? .null
            let message = Message(
                id: request.header("webhook-id") ?? "", type: body.text("type") ?? "", request: request, body: body)
            box.messages.withLock { $0.append(message) }
            return "HTTP/1.1 \(box.respond.withLock { $0 }(message))\r\nContent-Length: 5\r\n\r\nthank"
        }
    }

    deinit { server.stop() }

    var url: String { "http://127.0.0.1:\(server.port)/hooks?of=auctions" }
    var messages: [Message] { box.messages.withLock { $0 } }

    func respond(_ respond: @escaping @Sendable (Message) -> String) { box.respond.withLock { $0 = respond } }

    /// Whether one of a message's signatures is by the secret, computed from the definition of HMAC (RFC 2104).
    static func isSigned(_ message: Message, by secret: String) -> Bool {
        guard secret.hasPrefix("whsec_"), let timestamp = message.request.header("webhook-timestamp"),
            let signatures = message.request.header("webhook-signature")
        else { return false }
        let key = bytes(ofBase64: secret.dropFirst(6))
        let block = key + [UInt8](repeating: 0, count: 64 - key.count)
        let signed = Array("\(message.id).\(timestamp).".utf8) + message.request.body
        let inner = Array(SHA256.hash(data: block.map { $0 ^ 0x36 } + signed))
        let code = Array(SHA256.hash(data: block.map { $0 ^ 0x5C } + inner))
        return signatures.split(separator: " ").contains { $0.hasPrefix("v1,") && bytes(ofBase64: $0.dropFirst(3)) == code }
    }

    static func bytes(ofBase64 text: Substring) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = text.filter { $0 != "=" }.flatMap { character -> [Int] in
            let value = alphabet.firstIndex(of: character) ?? 0
            return (0..<6).map { value >> (5 - $0) & 1 }
        }
        return (0..<bits.count / 8).map { index in bits[8 * index..<8 * index + 8].reduce(0) { $0 << 1 | UInt8($1) } }
    }
}
