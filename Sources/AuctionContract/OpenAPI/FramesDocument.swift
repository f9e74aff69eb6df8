internal import ExactJSON

/// The commands over WebSocket, as parts of the AsyncAPI document.
struct FramesDocument {
    private let frames = Operation.all.filter { operation in Operation.frames.contains { $0.name == operation.name } }

    /// The messages of the socket's channel.
    var references: JSONValue { .members(frames.map { ($0.name, .reference("messages", $0.name)) }) }

    /// Operations that receive a frame and reply to it.
    var operations: JSONValue {
        func inSocket(_ message: String) -> JSONValue { Self.pointer("#/channels/socket/messages/\(message)") }
        let reply: JSONValue = .members([
            ("channel", Self.pointer("#/channels/socket")), ("messages", .array([inSocket("done"), inSocket("refused")])),
        ])
        let operations = frames.map { frame -> (name: String, value: JSONValue?) in
            let operation: JSONValue = .members([
                ("action", .string("receive")), ("channel", Self.pointer("#/channels/socket")),
                ("summary", .string(frame.summary + ".")), ("messages", .array([inSocket(frame.name)])), ("reply", reply),
            ])
            return (frame.name, operation)
        }
        return .members(operations)
    }

    /// The frames, with an example each.
    func messages() throws(JSONError) -> JSONValue {
        var messages: [(name: String, value: JSONValue?)] = []
        for frame in frames {
            let message: JSONValue = .members([
                ("name", .string(frame.name)), ("title", .string(frame.summary + ".")),
                ("summary", .string("The members are those of `\(frame.name)` in openapi.yaml.")),
                ("payload", .reference("schemas", frame.frameSchema)),
                ("correlationId", .members([("location", .string("$message.payload#/id"))])),
                ("examples", .array([.members([("payload", try example(of: frame))])])),
            ])
            messages.append((frame.name, message))
        }
        return .members(messages)
    }

    /// The schemas of the frames: what the request has in its path, its query and its body.
    func schemas() throws(JSONError) -> JSONValue {
        var schemas: [(name: String, value: JSONValue?)] = []
        for frame in frames {
            var properties: [(name: String, value: JSONValue?)] = [
                ("id", .reference("schemas", "FrameId")),
                ("type", .members([("type", .string("string")), ("const", .string(frame.name))])),
                ("key", .reference("schemas", "FrameKey")),
            ]
            var required = ["id", "type"]
            for parameter in frame.frameParameters {
                properties.append((parameter.name, try JSONValue.schema(parameter.schema).inOpenAPI))
                if parameter.isRequired { required.append(parameter.name) }
            }
            if case (.object(let members), let names)? = try frame.requestSchema?.properties() {
                properties += members.map { ($0.name, $0.value.inOpenAPI) }
                required += names
            }
            let schema: JSONValue = .members([
                ("type", .string("object")), ("properties", .members(properties)), ("required", .texts(required)),
                ("additionalProperties", .bool(false)),
            ])
            schemas.append((frame.frameSchema, schema))
        }
        return .members(schemas)
    }

    private func example(of frame: Operation) throws(JSONError) -> JSONValue {
        var members: [(name: String, value: JSONValue?)] = [("id", .string("c1")), ("type", .string(frame.name))]
        for parameter in frame.frameParameters { members.append((parameter.name, try parameter.example.json())) }
        if let body = try frame.body?.content.first?.examples.first?.value.json(), case .object(let more) = body {
            members += more.map { ($0.name, $0.value) }
        }
        return .members(members)
    }

    private static func pointer(_ target: String) -> JSONValue { .members([("$ref", .string(target))]) }
}

extension Operation {
    fileprivate var frameSchema: String { name.prefix(1).uppercased() + name.dropFirst() + "Frame" }

    /// What stands in path and query of the request, but for the room.
    var frameParameters: [Parameter] {
        let inPath = pathNames.dropFirst().compactMap { name in SharedParameters.inPath.first { $0.parameter.name == name } }
        return inPath.map(\.parameter) + parameters.filter { $0.place == .query }
    }

    fileprivate var requestSchema: Schema? { body?.content.first.flatMap { Schema.named[$0.schema] } }
}

extension JSONValue {
    /// The schema with references into the other document.
    fileprivate var inOpenAPI: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "$ref", case .string(let target) = member.value else {
                        return JSONMember(name: member.name, value: member.value.inOpenAPI)
                    }
                    return JSONMember(name: "$ref", value: .string("openapi.yaml" + target))
                })
        default: self
        }
    }
}
