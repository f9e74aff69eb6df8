internal import Cryptography

/// A valid opening handshake of a WebSocket (RFC 6455, section 4.2.1).
package struct WebSocketHandshake: Sendable {
    /// Why a handshake is refused, with the headers that the response needs.
    package struct Failure: Error, Sendable {
        /// The reason, with status 400 or 426.
        package let refusal: RequestRefusal
        /// Additional headers of the response, such as the supported version.
        package let headers: [(name: String, value: String)]

        fileprivate init(status: Int, _ code: String, _ detail: String, headers: [(name: String, value: String)] = []) {
            refusal = RequestRefusal(status: status, code: code, detail: detail, closes: false)
            self.headers = headers
        }
    }

    /// The offered subprotocols, in the client's order of preference.
    package let offered: [String]
    private let key: String

    /// Validates the request's handshake headers. Throws the refusal if one is missing or malformed.
    package init(_ exchange: Exchange) throws(Failure) {
        guard exchange.method == .get, !exchange.head.isVersion10, !exchange.hasBody else {
            throw Failure(
                status: 400, "websocket.malformed", "A WebSocket begins with a GET of HTTP/1.1 without a body.")
        }
        guard exchange.elements("Upgrade").contains(where: { isSameName($0, "websocket") }),
            exchange.elements("Connection").contains(where: { isSameName($0, "upgrade") })
        else {
            throw Failure(
                status: 426, "websocket.upgrade_required",
                "Ask for a WebSocket: Connection: Upgrade, Upgrade: websocket, Sec-WebSocket-Version: 13.",
                headers: Self.upgrade)
        }
        guard exchange.headers("Sec-WebSocket-Version") == ["13"] else {
            throw Failure(
                status: 426, "websocket.version", "The only WebSocket version here is 13.",
                headers: Self.upgrade)
        }
        let keys = exchange.headers("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Self.isKey(key) else {
            throw Failure(
                status: 400, "websocket.malformed", "Sec-WebSocket-Key must be 16 bytes in base64, once.")
        }
        self.key = key
        offered = exchange.elements("Sec-WebSocket-Protocol")
    }

    /// What a 426 has: a response with Upgrade names it in Connection (RFC 9110, section 7.8). libmicrohttpd adds `close` to that where the
    /// connection closes, and otherwise keeps the connection.
    private static let upgrade: [(name: String, value: String)] = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
    ]

    /// The value of `Sec-WebSocket-Accept`: the digest of the client's key (RFC 6455, section 4.2.2).
    var accept: String {
        // SHA-1 is required by the RFC; the handshake's security does not depend on it.
        let digest = InsecureSHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Base64.encode(digest)
    }

    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[22...].allSatisfy { $0 == UInt8(ascii: "=") }
            && bytes[..<22].allSatisfy { Base64.alphabet.contains($0) }
    }
}

/// Base64 encoding with padding (RFC 4648 section 4).
package enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of the bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
