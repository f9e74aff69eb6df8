internal import ExactJSON

/// The methods of the JavaScript client that follow from the contract.
enum JavaScriptCommands {
    /// Methods of the client with other names than their operations.
    private static let names = [
        "joinRoom": "join", "leaveRoom": "leave", "archiveRoom": "archive",
    ]

    /// Commands whose methods do more than to send them, in `room.js`.
    private static let byHand: Set<String> = [
        "startAuction", "endAuction", "pause", "resume", "cancel", "placeBid", "uploadItem", "acceptStage", "confirmStage",
        "declineStage", "cancelStage",
    ]

    static func commands() throws(JSONError) -> [ClientCommand] { try ClientCommand.all(but: byHand) }

    static func name(of command: ClientCommand) -> String { names[command.operation.name] ?? command.operation.name }

    /// The name of a parameter: `lotID` of `lotId`.
    static func name(of parameter: String) -> String {
        parameter.hasSuffix("Id") ? parameter.dropLast(2) + "ID" : parameter
    }

    /// The text of `operations.js`.
    static func document() throws(JSONError) -> String {
        let ofRounds = try ClientCommand.ofRounds().map { "\"\($0.name)\"" }
        var lines = [
            "// The commands on a room whose parameters are those of the contract. Made of the operations in Sources/AuctionContract by",
            "// `auction-room contract`.", #"import { query } from "./pages.js";"#, "",
            "const part = (value) => encodeURIComponent(String(value));", "",
            "/** Orders that would be about another item in a later round. */",
            "export const roundOrders = new Set([\(ofRounds.joined(separator: ", "))]);", "",
            "export class RoomCommands {", "  #send;", "",
            "  /** @param send sends a command: the id of its operation, method, path below the room's, body, and how */",
            "  constructor(send) { this.#send = send; }", "",
        ]
        for command in try commands() {
            let parameters =
                (command.inPath + command.query).map { name(of: $0.name) } + self.parameters(of: command) + ["given"]
            lines += [
                "  /** \(command.operation.summary). */", "  \(name(of: command))(\(parameters.joined(separator: ", "))) {",
                "    return this.#send(\(call(of: command)), given);",
                "  }",
            ]
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func call(of command: ClientCommand) -> String {
        let (name, method) = (command.operation.name, command.operation.method.rawValue)
        return "\"\(name)\", \"\(method)\", \(path(of: command)), \(body(of: command))"
    }

    private static func parameters(of command: ClientCommand) -> [String] {
        switch command.body {
        case .none: []
        case .members(let members):
            members.map { member in
                name(of: member.name) + (member.schema["default"].map { " = " + $0.written } ?? "")
            }
        case .expecting: ["body"]
        case .whole(_, let isOptional): [isOptional ? "body = {}" : "body"]
        }
    }

    private static func body(of command: ClientCommand) -> String {
        switch command.body {
        case .none: command.operation.method == .delete ? "null" : "{}"
        case .whole, .expecting: "body"
        case .members(let members): object(members)
        }
    }

    private static func path(of command: ClientCommand) -> String {
        let parts = command.path.split(separator: "/").map { part in
            part.hasPrefix("{") ? "${part(\(name(of: String(part.dropFirst().dropLast()))))}" : String(part)
        }
        let query = command.query.isEmpty ? "" : "?${query(\(object(command.query)))}"
        let path = parts.map { "/" + $0 }.joined() + query
        return path.contains("$") ? "`\(path)`" : "\"\(path)\""
    }

    private static func object(_ parameters: [ClientCommand.Parameter]) -> String {
        let members = parameters.map { $0.name == name(of: $0.name) ? $0.name : "\($0.name): \(name(of: $0.name))" }
        return "{ \(members.joined(separator: ", ")) }"
    }
}
