/// A long list of the service as a sequence: the next page is read when its first element is asked for.
///
/// Iterating throws `AuctionError`.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    typealias Read = @Sendable (_ cursor: String?) async throws -> Page<Element>

    private let read: Read

    init(_ read: @escaping Read) { self.read = read }

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(read: read) }

    /// Reads one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let read: Read
        private var elements: ArraySlice<Element> = []
        private var cursor: String?
        private var isLast = false

        init(read: @escaping Read) { self.read = read }

        public mutating func next() async throws -> Element? {
            while true {
                if let element = elements.popFirst() { return element }
                if isLast { return nil }
                let page = try await read(cursor)
                elements = page.elements[...]
                // A cursor that does not move would go on forever.
                isLast = page.nextCursor == nil || page.nextCursor == cursor
                cursor = page.nextCursor
            }
        }
    }
}

/// A part of a list.
struct Page<Element: Sendable>: Sendable {
    let elements: [Element]
    /// Nil on the last one.
    let nextCursor: String?

    init(
        _ json: JSONValue, _ list: String, _ decode: (JSONFields) throws(MalformedJSON) -> Element
    ) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        elements = try fields.objects(list, decode)
        nextCursor = try fields.optionalString("nextCursor")
    }
}
