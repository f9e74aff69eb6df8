import MicroHTTP

/// The input is the bytes that a client sends on one connection.
enum ConnectionTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        // A split line above the limit is not buffered, but an unsplit one is scanned: their results differ.
        guard input.count <= lineLimit else { return }
        let whole = scan([input[...]])
        try same(whole, scan(input.indices.map { input[$0...$0] }), "one by one")
        // The first byte also determines where the input is split.
        let cut = input.isEmpty ? 0 : Int(input[0]) * input.count / 256
        try same(whole, scan([input[..<cut], input[cut...]]), "cut at \(cut)")
    }

    private static let lineLimit = 8192

    /// The scanner, and what it passes on to libmicrohttpd.
    private static func scan(_ pieces: [ArraySlice<UInt8>]) -> (RequestScanner, [UInt8]) {
        var scanner = RequestScanner(lineLimit: lineLimit)
        let passedOn = pieces.flatMap { scanner.scan($0.span) ?? Array($0) }
        return (scanner, passedOn)
    }

    private static func same(
        _ whole: (RequestScanner, [UInt8]), _ pieces: (RequestScanner, [UInt8]), _ how: String
    ) throws(PropertyViolation) {
        // Of an incomplete line none is passed on, but after an upgrade all is.
        try require(pieces.1 == whole.1, "\(how): other bytes are passed on")
        let (whole, pieces) = (whole.0, pieces.0)
        try require(
            pieces.requestCount == whole.requestCount, "\(how): \(pieces.requestCount) requests, not \(whole.requestCount)")
        try require(
            pieces.fault == whole.fault, "\(how): \(pieces.fault ?? "nothing") is wrong, not \(whole.fault ?? "nothing")")
    }
}
