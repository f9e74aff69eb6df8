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

    private static func scan(_ pieces: [ArraySlice<UInt8>]) -> RequestScanner {
        var scanner = RequestScanner(lineLimit: lineLimit)
        for piece in pieces { scanner.scan(piece.span) }
        return scanner
    }

    private static func same(_ whole: RequestScanner, _ pieces: RequestScanner, _ how: String) throws(PropertyViolation) {
        try require(
            pieces.requestCount == whole.requestCount, "\(how): \(pieces.requestCount) requests, not \(whole.requestCount)")
        try require(
            pieces.fault == whole.fault, "\(how): \(pieces.fault ?? "nothing") is wrong, not \(whole.fault ?? "nothing")")
    }
}
