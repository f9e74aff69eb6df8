internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Logging

/// A reference to a libmicrohttpd response, released in `deinit`.
///
/// `@unchecked Sendable`: immutable after `init`, and libmicrohttpd's reference count is locked.
@safe
final class EncodedResponse: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Nil if memory is exhausted.
    init?(_ response: Response, closes: Bool) {
        guard let handle = unsafe EncodedResponse.make(response, closes: closes, logger: nil) else { return nil }
        unsafe self.handle = handle
    }

    deinit {
        unsafe MHD_destroy_response(handle)
    }

    /// False if the connection cannot take a response now.
    func queue(status: Int, on connection: Connection) -> Bool {
        // SAFETY: both handles are alive, and libmicrohttpd takes a reference of its own.
        unsafe micro_queue(connection.handle, UInt32(status), handle) != 0
    }

    /// Creates a response, queues it and releases the reference, for a response to a single exchange.
    static func queue(_ response: Response, closes: Bool, on connection: Connection) -> Bool {
        guard
            let handle = unsafe make(
                response, closes: closes, logger: connection.core.logger, copiesLarge: false,
                budget: connection.core.responses)
        else { return false }
        defer { unsafe MHD_destroy_response(handle) }
        return unsafe micro_queue(connection.handle, UInt32(response.status), handle) != 0
    }

    private static func make(
        _ response: Response, closes: Bool, logger: Logger?, copiesLarge: Bool = true, budget: ResponseBudget? = nil
    ) -> OpaquePointer? {
        // SAFETY: the bytes are copied by the call, and the names and values too.
        let made: OpaquePointer? =
            if let prefix = response.prefix {
                unsafe JoinedBody(prefix, response.body).response()
            } else if copiesLarge || response.body.count < LargeBody.leastStreamedBytes {
                unsafe response.body.withUnsafeBytes { unsafe micro_response_copying($0.baseAddress, $0.count) }
            } else {
                unsafe LargeBody(response.body, in: budget).response()
            }
        guard let handle = unsafe made else { return nil }
        for header in response.headers {
            // `withCString` passes a string's own bytes; passing the strings themselves would copy each into an array first.
            let isTaken = unsafe header.name.withCString { name in
                unsafe header.value.withCString { unsafe micro_response_add_header(handle, name, $0) != 0 }
            }
            // A line break in a value would allow header injection; libmicrohttpd refuses it, and the header is left out.
            if !isTaken { logger?.error("a header that HTTP does not allow is left out", metadata: ["name": "\(header.name)"]) }
        }
        if closes { _ = unsafe micro_response_add_header(handle, "Connection", "close") }
        return unsafe handle
    }
}

/// A body that libmicrohttpd reads in blocks while it sends, instead of copying it for each connection: an embedded file is in
/// memory once however many slow clients download it.
private final class LargeBody {
    static let leastStreamedBytes = 16384
    let bytes: [UInt8]
    private let budget: ResponseBudget?

    init(_ bytes: [UInt8], in budget: ResponseBudget?) {
        self.bytes = bytes
        self.budget = budget
        budget?.add(bytes.count)
    }

    deinit { budget?.remove(bytes.count) }

    func response() -> OpaquePointer? {
        // SAFETY: the response retains the body until libmicrohttpd releases both, and reads stay within the size it passes.
        let context = unsafe Unmanaged.passRetained(self)
        let made = unsafe micro_response_reading_body(
            UInt64(bytes.count),
            { context, position, buffer, size in
                guard let context = unsafe context else { return Int(MICRO_READER_FAILED) }
                let body = unsafe Unmanaged<LargeBody>.fromOpaque(context).takeUnretainedValue()
                return unsafe body.read(from: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            }, context.toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<LargeBody>.fromOpaque(context).release() }
            })
        if unsafe made == nil { unsafe context.release() }
        return unsafe made
    }

    @unsafe
    private func read(from position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard position < bytes.count else { return Int(MICRO_READER_END) }
        let count = min(buffer.count, bytes.count - position)
        unsafe buffer.copyBytes(from: bytes[position..<position + count])
        return count
    }
}

/// A body of two parts, of which several responses may share the first: libmicrohttpd writes both without copying.
private final class JoinedBody {
    private let prefix: SharedBytes
    private let rest: SharedBytes

    init(_ prefix: SharedBytes, _ rest: [UInt8]) {
        self.prefix = prefix
        self.rest = SharedBytes(rest)
    }

    func response() -> OpaquePointer? {
        // SAFETY: the response retains this object, and with it both parts, until libmicrohttpd releases it; it only reads.
        let context = unsafe Unmanaged.passRetained(self)
        let made = unsafe micro_response_joining(
            prefix.start(false), prefix.count, rest.start(false), rest.count,
            { context in
                if let context = unsafe context { unsafe Unmanaged<JoinedBody>.fromOpaque(context).release() }
            }, context.toOpaque())
        if unsafe made == nil { unsafe context.release() }
        return unsafe made
    }
}

extension Response {
    /// The length of the whole body, in bytes.
    var bodyCount: Int { (prefix?.count ?? 0) + body.count }

    /// The whole response as sent over the wire, for a connection whose request cannot be read completely.
    func wireBytes() -> [UInt8] {
        // SAFETY: a constant of the library.
        let reason = unsafe MHD_get_reason_phrase_for(UInt32(status)).map { unsafe String(cString: $0) } ?? ""
        var head =
            "HTTP/1.1 \(status) \(reason)\r\nDate: \(HTTPDate.now)\r\nConnection: close\r\nContent-Length: \(bodyCount)\r\n"
        for header in headers where !"\(header.name)\(header.value)".utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            head += "\(header.name): \(header.value)\r\n"
        }
        return Array(head.utf8) + [13, 10] + (prefix?.bytes ?? []) + body
    }
}
