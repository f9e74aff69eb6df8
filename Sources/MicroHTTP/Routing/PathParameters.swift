/// The parameters of a path in the order of the pattern: parts of the path, each percent-decoded when it is read.
package struct PathParameters: RandomAccessCollection, Sendable {
    /// Most parameters of a pattern.
    static let limit = 3

    private let path: String
    private var parts: InlineArray<3, Range<Int>> = .init(repeating: 0..<0)
    package private(set) var endIndex = 0
    package var startIndex: Int { 0 }

    init(of path: String) { self.path = path }

    /// - Parameter part: The place of a segment in the path's bytes.
    mutating func append(_ part: Range<Int>) {
        parts[endIndex] = part
        endIndex += 1
    }

    mutating func removeLast() { endIndex -= 1 }

    /// Whether every escape is correct.
    var areDecodable: Bool { indices.allSatisfy { read($0) { PercentEncoding.isDecodable($0) } } }

    /// The decoded parameter.
    package subscript(index: Int) -> String { read(index) { PercentEncoding.decode($0) } ?? "" }

    /// Passes on a parameter as sent.
    package func read<Value>(_ index: Int, _ body: (Span<UInt8>) -> Value) -> Value {
        body(path.utf8Span.span.extracting(parts[index]))
    }
}
