internal import ExactJSON

/// A command on a room as a method of a client: its parameters are those of the operation's path and query, and its body.
struct ClientCommand {
    /// A parameter, as the request has it.
    struct Parameter {
        let name: String
        let schema: JSONValue
        let isRequired: Bool
    }

    /// How the method takes the body.
    enum Body {
        case none
        /// Each member is a parameter.
        case members([Parameter])
        /// Each member is a parameter, beside what is expected of the room. The schema has this name.
        case expecting([Parameter], schema: String)
        /// One value of the schema of a name.
        case whole(String, isOptional: Bool)
    }

    /// The operations that may name the round that they are for.
    static func ofRounds() throws(JSONError) -> [Operation] {
        var found: [Operation] = []
        for operation in Operation.frames {
            guard let schema = operation.body?.content.first.flatMap({ Schema.named[$0.schema] }) else { continue }
            if try schema.properties().properties["expectedRound"] != nil { found.append(operation) }
        }
        return found
    }

    let operation: Operation
    /// Below the room's.
    let path: String
    let inPath: [Parameter]
    let query: [Parameter]
    let body: Body
    /// The name of the schema of a successful response; nil if it has no body.
    let result: String?

    /// The commands with a body of JSON or none, but for some.
    static func all(but names: Set<String>) throws(JSONError) -> [ClientCommand] {
        var commands: [ClientCommand] = []
        let frames = Set(Operation.frames.map(\.name)).subtracting(names)
        for operation in Operation.all where frames.contains(operation.name) { commands.append(try ClientCommand(operation)) }
        return commands
    }

    private init(_ operation: Operation) throws(JSONError) {
        self.operation = operation
        path = String(operation.path.dropFirst("/v1/rooms/{id}".count))
        var parameters: [Operation.Parameter.Place: [Parameter]] = [:]
        for parameter in operation.frameParameters {
            let schema = try JSONValue.schema(parameter.schema)
            parameters[parameter.place, default: []].append(
                Parameter(name: parameter.name, schema: schema, isRequired: parameter.isRequired))
        }
        inPath = parameters[.path] ?? []
        query = parameters[.query] ?? []
        body = try Self.body(of: operation)
        result = operation.responses.first { $0.status < 300 }?.content.first?.schema
    }

    /// One member, or a few that are all required, are parameters of their own.
    private static func body(of operation: Operation) throws(JSONError) -> Body {
        guard let content = operation.body?.content.first, let schema = Schema.named[content.schema],
            case (.object(let members), let required) = try schema.properties()
        else { return .none }
        let parameters = members.map {
            Parameter(name: $0.name, schema: $0.value, isRequired: required.contains($0.name))
        }
        let own = parameters.filter { !$0.name.hasPrefix("expected") }
        if own.count < parameters.count, own.allSatisfy(\.isRequired) { return .expecting(own, schema: content.schema) }
        guard parameters.count == 1 || parameters.count < 4 && required.count == parameters.count else {
            let json = try schema.json()
            return .whole(content.schema, isOptional: required.isEmpty && json["minProperties"] == nil)
        }
        return .members(parameters)
    }
}
