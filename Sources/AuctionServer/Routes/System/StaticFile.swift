internal import CZlib
internal import Cryptography
internal import MicroHTTP

/// A file that is compiled into the program, as it is and compressed.
struct StaticFile: Sendable {
    /// Copies the file's bytes: most clients take them compressed, and the program has them already.
    private let source: @Sendable () -> [UInt8]
    /// By gzip; nil if that would not be smaller.
    private let compressed: [UInt8]?
    /// Changes with the bytes.
    let tag: String

    /// - Parameter source: returns the same bytes whenever it is called.
    init(_ source: @escaping @Sendable () -> [UInt8]) {
        self.source = source
        let bytes = source()
        compressed = Self.gzip(bytes)
        tag = SHA256.hash(data: bytes).prefix(12).map { String($0, radix: 36) }.joined()
    }

    /// A copy of the file's bytes.
    var bytes: [UInt8] { source() }

    /// The response to a GET: 304 if the client has what it would get.
    /// - Parameters:
    ///   - headers: those that describe the file.
    ///   - access: those that a 304 has too.
    func response(
        to exchange: Exchange, _ headers: [(name: String, value: String)], access: [(name: String, value: String)] = []
    ) -> Response {
        let chosen = Self.acceptsGzip(exchange.list("Accept-Encoding")) ? compressed : nil
        // Other bytes have another tag.
        let tag = "\"\(self.tag)\(chosen == nil ? "" : "-gzip")\""
        // A new version of the program may have a new file, so clients revalidate it on every use.
        let always = [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")] + access
        if let known = exchange.list("If-None-Match"), known.namesTag(tag) { return Response(status: 304, headers: always) }
        let encoding = chosen == nil ? [] : [(name: "Content-Encoding", value: "gzip")]
        return Response(status: 200, headers: always + headers + encoding, body: chosen ?? bytes)
    }

    private static func acceptsGzip(_ header: String?) -> Bool {
        guard let codings = header?.weightedList else { return false }
        let named = codings.first { $0.name == "gzip" } ?? codings.first { $0.name == "*" }
        return named.map { $0.weight > 0 } ?? false
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib refuses a stream that is at another address than in the first call.
        // SAFETY: the stream is initialized before its first use and freed after its last, and its buffers live for the one call of `deflate`.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        defer { unsafe stream.deallocate() }
        unsafe stream.initialize(to: z_stream())
        // 16 more than the largest window: with the header of gzip.
        guard
            unsafe deflateInit2_(
                stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe _ = deflateEnd(stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count))
        let isComplete = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, uInt(input.count))
                unsafe (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, uInt(output.count))
                return unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
            }
        }
        return isComplete ? Array(output.prefix(Int(unsafe stream.pointee.total_out))) : nil
    }
}
