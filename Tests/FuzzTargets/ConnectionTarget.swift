import MicroHTTP

/// What a client sends on one connection.
enum ConnectionTarget {
    static func run(_ input: [UInt8]) throws(Broken) {
        // A line in pieces is not kept beyond the limit, one in one piece is read.
        guard input.count <= lineLimit else { return }
        let whole = scan([input[...]])
        try same(whole, scan(input.indices.map { input[$0...$0] }), "one by one")
        // The first byte says where it is cut, too.
        let cut = input.isEmpty ? 0 : Int(input[0]) * input.count / 256
        try same(whole, scan([input[..<cut], input[cut...]]), "cut at \(cut)")
    }

    private static let lineLimit = 8192

    private static func scan(_ pieces: [ArraySlice<UInt8>]) -> RequestScanner {
        var scanner = RequestScanner(lineLimit: lineLimit)
        for piece in pieces { scanner.scan(piece.span) }
        return scanner
    }

    private static func same(_ whole: RequestScanner, _ pieces: RequestScanner, _ how: String) throws(Broken) {
        try require(
            pieces.requestCount == whole.requestCount, "\(how): \(pieces.requestCount) requests, not \(whole.requestCount)")
        try require(
            pieces.fault == whole.fault, "\(how): \(pieces.fault ?? "nothing") is wrong, not \(whole.fault ?? "nothing")")
    }
}
