internal import ExactJSON

/// The types of the JavaScript client that follow from the contract.
enum TypeScriptTypes {
    /// Schemas whose types have other names. Those that differ only by who sees what are one type.
    private static let names = [
        "Room": "RoomSnapshot", "StateName": "RoomPhase", "ShownState": "RoomPhase", "NamedRoom": "Named", "Event": "RoomEvent",
        "EventType": "RoomEventType", "PublicItem": "Item", "RoomItem": "Item", "LotItem": "Item", "PublicRules": "Rules",
        "ChangedMember": "Member", "Problem": "ProblemBody",
    ]

    /// The text of `contract.d.ts`.
    static func document() throws(JSONError) -> String {
        var (schemas, order): ([String: [JSONValue]], [String]) = ([:], [])
        // Notices are open: the client hands on those that it does not know.
        for schema in Schema.all where !schema.isOptional && schema.name != "Notice" {
            let name = names[schema.name] ?? schema.name
            if schemas[name] == nil { order.append(name) }
            schemas[name, default: []].append(try schema.json())
        }
        let nullable = Set(try nullableNames())
        let writer = TypeScriptWriter { name in
            let plain = name.hasPrefix("Optional") ? String(name.dropFirst("Optional".count)) : name
            return (names[plain] ?? plain) + (nullable.contains(name) ? " | null" : "")
        }
        var lines = [
            "// What the server sends and takes. Made of the schemas in Sources/AuctionContract by `auction-room contract`.",
            "// Later versions may add members and values: enumerations are open.",
            #"import type { RequestOptions } from "./auction-client.js";"#, "",
            "/** One of the known values, or one that a later version has added. */",
            "type Open<Known extends string> = Known | (string & {});", "",
        ]
        for name in order { lines += writer.declaration(name, of: schemas[name] ?? []) }
        return (lines + (try methods(writer))).joined(separator: "\n") + "\n"
    }

    private static func nullableNames() throws(JSONError) -> [String] {
        var names: [String] = []
        for schema in Schema.all {
            if case .array? = try schema.json()["type"] { names.append(schema.name) }
        }
        return names
    }

    private static func methods(_ writer: TypeScriptWriter) throws(JSONError) -> [String] {
        var lines = [
            "/** The commands on a room whose parameters are those of the contract. */", "export interface RoomCommands {",
        ]
        for command in try JavaScriptCommands.commands() {
            func typed(_ parameter: ClientCommand.Parameter) -> String {
                let name = JavaScriptCommands.name(of: parameter.name)
                return "\(name)\(parameter.isRequired ? "" : "?"): \(writer.type(of: parameter.schema))"
            }
            let body: [String] =
                switch command.body {
                case .none: []
                case .members(let members): members.map(typed)
                case .expecting(_, let schema): ["body: \(writer.type(of: .reference("schemas", schema)))"]
                case .whole(let schema, let isOptional):
                    ["body\(isOptional ? "?" : ""): \(writer.type(of: .reference("schemas", schema)))"]
                }
            let parameters = (command.inPath + command.query).map(typed) + body + ["given?: RequestOptions"]
            let result = try command.result.map { (schema) throws(JSONError) in writer.type(of: try .schema(schema)) } ?? "null"
            lines.append("  /** \(command.operation.summary). */")
            let head = "\(JavaScriptCommands.name(of: command))(\(parameters.joined(separator: ", ")))"
            lines.append("  \(head): Promise<\(result)>;")
        }
        return lines + ["}"]
    }
}
