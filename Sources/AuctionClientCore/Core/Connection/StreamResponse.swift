/// The response to the request for a stream, as far as it has arrived.
enum StreamResponse: Sendable {
    /// None is awaited.
    case none
    /// The stream was accepted, or its head has not arrived yet.
    case events(EventStreamParser)
    /// The stream was refused; the body, which says why, is on its way.
    case refusal(HTTPResponse)

    /// What bytes of it brought.
    enum Received {
        case items([Item])
        /// A part of the refusal's body, of which more may come.
        case partOfRefusal
        /// The refusal, as large as it may be.
        case refusal(Problem)
    }

    /// What the stream delivered; signs of life are left out.
    enum Item {
        case notice(JSONValue)
        /// An event, and how many bytes of JSON it has.
        case event(JSONValue, bytes: Int)
        /// It is no JSON, or exceeds the bound of an event.
        case unreadable
    }

    /// The most bytes that are read of a refusal; the service's have less than one kilobyte.
    private static let refusalBytes = 64 << 10

    var isRefusal: Bool { if case .refusal = self { true } else { false } }

    mutating func received(_ bytes: [UInt8]) -> Received {
        // Nothing else may hold the buffers while they grow, or every piece would copy them.
        let response = self
        self = .none
        switch consume response {
        case .none: return .items([])
        case .refusal(var refusal):
            refusal.body += bytes.prefix(Self.refusalBytes)
            guard refusal.body.count < Self.refusalBytes else { return .refusal(Problem(refusal)) }
            self = .refusal(refusal)
            return .partOfRefusal
        case .events(var parser):
            defer { self = .events(parser) }
            do throws(EventStreamParser.TooLarge) {
                return .items(try parser.parse(bytes).compactMap(Item.init))
            } catch {
                return .items([.unreadable])
            }
        }
    }

    /// Ends a refused response, and returns the refusal as far as it has arrived; nil if the stream was not refused.
    mutating func takeRefusal() -> Problem? {
        guard case .refusal(let response) = self else { return nil }
        self = .none
        return Problem(response)
    }
}

extension StreamResponse.Item {
    /// Nil for what is of no use: a sign of life, and a notice that cannot be read.
    fileprivate init?(_ item: EventStreamParser.Item) {
        guard case .event(let name, let data) = item else { return nil }
        switch (name, JSONValue(readable: data)) {
        case ("notice", let json?): self = .notice(json)
        case ("notice", nil): return nil
        case (_, let json?): self = .event(json, bytes: data.count)
        case (_, nil): self = .unreadable
        }
    }
}
