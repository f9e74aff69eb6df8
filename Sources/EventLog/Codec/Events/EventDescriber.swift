internal import AuctionDomain
internal import ExactJSON

/// Records the public fields of an event, in the order of their bytes: what the contract says of its kind.
struct EventDescriber: EventFields {
    private(set) var members: [EventExamples.Member] = []
    /// Names of fields that some events have in the private part.
    private var hidden: Set<String> = []

    mutating func callAsFunction<Value: EventValue>(_ name: StaticString, _ value: Value) -> Value {
        members.append((name.description, schema(of: name, Value.self), hidden.contains(name.description)))
        return value
    }

    mutating func optional<Value: EventValue>(_ name: StaticString, _ value: Value?) -> Value? {
        members.append((name.description, schema(of: name, Value.self), true))
        return value
    }

    mutating func secret<Value: EventValue>(_ name: StaticString, _ value: Value) -> Value {
        hidden.insert(name.description)
        return value
    }

    mutating func optionalSecret<Value: EventValue>(_ name: StaticString, _ value: Value?) -> Value? {
        hidden.insert(name.description)
        return value
    }

    /// Who acts may be a program of the operator.
    private func schema<Value: EventValue>(of name: StaticString, _: Value.Type) -> String {
        name.description == "by" ? Value.schema.replacing(Person.schema, with: "Actor") : Value.schema
    }

    func beginsRound(_ value: Bool) -> Bool { value }
}

extension EventExamples {
    /// A member of an event's `data`, with its schema in the contract's short form.
    package typealias Member = (name: String, schema: String, isOptional: Bool)

    /// What the contract says of each kind: its type, the public members, and the public bytes of an example.
    package static func kinds() -> [(type: String, members: [Member], example: [UInt8])] {
        all.enumerated().map { index, body in
            var describer = EventDescriber()
            _ = body.passed(through: &describer)
            let event = Event(seq: index + 1, at: instant, round: 1, body: body)
            return (body.type, describer.members, EventEncoder.encode(event, .cny).publicBytes)
        }
    }
}

extension EventWord {
    /// The name of the words' schema, or the words themselves.
    static var schema: String {
        switch Word.self {
        case is Role.Type: return "Role"
        case is RoomState.Type: return "StateName"
        case is TransitionCause.Type: return "Cause"
        case is Visibility.Type: return "Visibility"
        case is Sale.Mode.Type: return "SaleMode"
        case is StageRole.Type: return "SeatRole"
        case let type as any CaseIterable.Type: return "one of " + words(of: type).joined(separator: " | ")
        default: return "text"
        }
    }

    private static func words<Words: CaseIterable>(of _: Words.Type) -> [String] {
        Words.allCases.compactMap { ($0 as? Word)?.rawValue }
    }
}
