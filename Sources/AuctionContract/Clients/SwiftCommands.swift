internal import AuctionDomain
internal import ExactJSON

/// What of the Swift client follows from the contract: the names of commands and actions, and methods that only send a command.
enum SwiftCommands {
    /// Names of the Swift client that differ from those of the operations.
    private static let kinds = [
        "startAuction": "start", "endAuction": "end", "joinRoom": "join", "leaveRoom": "leave",
        "configurePermissions": "configureRule", "clearSale": "configureSale",
    ]

    /// The name in `CommandKind`: those of the stage are one kind.
    private static func kind(of operation: Operation) -> String {
        operation.tag == "stage" ? "stage" : kinds[operation.name] ?? operation.name
    }

    /// Commands whose methods have a form of their own, in `AuctionRoom+Commands.swift` and `AuctionRoom+Lots.swift`.
    private static let byHand: Set<String> = [
        "startAuction", "endAuction", "pause", "resume", "cancel", "changeAsk", "placeBid", "uploadItem", "adjustRules",
        "archiveRoom",
        "joinRoom", "leaveRoom", "changeMember", "kick", "sendMessage", "reportMessage", "configurePermissions", "requestStage",
        "inviteToStage", "seatMember",
        "acceptStage", "confirmStage", "declineStage", "cancelStage", "muteSeat",
        "queueLot", "changeLot", "reofferLot", "placeAbsenteeBid", "withdrawAbsenteeBid", "voidResult",
        "approveApplication", "declineApplication",
    ]

    /// What actions mean that are not the name of an operation.
    private static let actions = [
        "setRole": "Give a role", "ban": "Ban a member", "mute": "Mute a member",
        "setCreditLimit": "Limit what a member may owe",
        "manageStage": "Invite to the stage and manage its seats", "runSale": "Configure, start and stop the sale",
        "decideApplication": "Approve and decline those who apply as bidders",
    ]

    /// By the name of a response's schema, the function of `AuctionRoom` that reads it, and its type.
    private static let results = [
        "Room": ("state", "RoomState"), "Lot": ("lot", "Lot"), "Sale": ("sale", "Sale"), "Member": ("member", "Member"),
        "ChangedMember": ("member", "Member"), "RoundResult": ("result", "RoundResult"),
        "Handshake": ("handshake", "Handshake"),
    ]

    private static let mark = "// Made of the operations in Sources/AuctionContract by `auction-room contract`.\n\n"

    /// The text of `CommandKind.swift`.
    static func commandKinds() throws(JSONError) -> String {
        var names: [(name: String, meaning: String)] = []
        let isKind = { (operation: Operation) in operation.keepsResponse && operation.tag != "stage" }
        for operation in Operation.all where isKind(operation) || operation.name == "openRoom" {
            let name = kind(of: operation)
            if !names.contains(where: { $0.name == name }) { names.append((name, operation.summary)) }
        }
        names.append(("stage", "A step of the handshake for a seat, or something about a seat"))
        let ofRounds = try ClientCommand.ofRounds().map { ".\(kind(of: $0))" }
        return mark + openName("CommandKind", "What a command does.", names)
            + """

            extension CommandKind {
                /// Orders that would be about another item in a later round.
                static let ofRounds: Set<Self> = [\(ofRounds.joined(separator: ", "))]
            }

            """
    }

    /// The text of `RoomAction.swift`.
    static var roomActions: String {
        let summaries = Dictionary(Operation.all.map { ($0.name, $0.summary) }, uniquingKeysWith: { first, _ in first })
        let names = RoomAction.allCases.map(\.rawValue).map { (name: $0, meaning: actions[$0] ?? summaries[$0] ?? $0) }
        return mark + openName("RoomAction", "An action that the permission center decides about.", names)
    }

    /// The text of `AuctionRoom+Operations.swift`.
    static func methods() throws(JSONError) -> String {
        var methods: [String] = []
        for command in try ClientCommand.all(but: byHand) { methods.append(try method(command)) }
        return mark + "extension AuctionRoom {\n" + methods.joined(separator: "\n") + "}\n"
    }

    private static func openName(_ type: String, _ meaning: String, _ names: [(name: String, meaning: String)]) -> String {
        var lines = [
            "/// \(meaning)", "public struct \(type): OpenName {", "    public let rawValue: String",
            "    public init(rawValue: String) { self.rawValue = rawValue }", "",
        ]
        for (name, meaning) in names {
            lines += ["    /// \(meaning).", "    public static let \(name): Self = \"\(name)\""]
        }
        lines += ["    /// The names that this version of the library knows.", "    public static let known: Set<Self> = ["]
        lines += names.map { "        \($0.name)," }
        return (lines + ["    ]", "}"]).joined(separator: "\n") + "\n"
    }

    private static func method(_ command: ClientCommand) throws(JSONError) -> String {
        let operation = command.operation
        var parameters = command.inPath.map { "_ \($0.name): \(type(of: $0))" }
        parameters += command.query.map { "\($0.name): \(type(of: $0))\($0.isRequired ? "" : "? = nil")" }
        var arguments = [
            ".\(kind(of: operation))", "\"\(operation.method.rawValue)\"", target(of: command),
        ]
        switch command.body {
        case .none: if operation.method != .delete { arguments.append("[:]") }
        case .whole(let schema, _):
            parameters.append("_ body: \(schema)")
            arguments.append("body.json")
        case .expecting(let members, _):
            parameters += members.map { "\($0.name): \(type(of: $0))" } + ["expecting: Expectation = .init()"]
            arguments.append("expecting.json([\(members.map { "\"\($0.name)\": \(json(of: $0))" }.joined(separator: ", "))])")
        case .members(let members):
            parameters += members.map { "\($0.name): \(type(of: $0))" }
            arguments.append("[\(members.map { "\"\($0.name)\": \(json(of: $0))" }.joined(separator: ", "))]")
        }
        let result = command.result.flatMap { results[$0] }
        let head = "public func \(operation.name)(\(parameters.joined(separator: ", "))) async throws(AuctionError)"
        let optional = command.query.filter { !$0.isRequired }.map(\.name)
        let queries = optional.map { "        let \($0) = \($0).map { \"?\($0)=\\($0.pathSegment)\" } ?? \"\"" }
        let call = "\(queries.isEmpty ? "" : "return ")try await \(result?.0 ?? "done")(\(arguments.joined(separator: ", ")))"
        let lines =
            comment(operation) + (result == nil ? [] : ["    @discardableResult"])
            + ["    \(head)\(result.map { " -> \($0.1)" } ?? "") {"] + queries + ["        \(call)", "    }"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary, and the description in lines of their own.
    private static func comment(_ operation: Operation) -> [String] {
        var lines = ["    /// \(operation.summary)."]
        for paragraph in (operation.description ?? "").split(separator: "\n\n") {
            lines += ["    ///", "    ///"]
            for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
                if lines[lines.count - 1].count + word.count > 126 { lines.append("    ///") }
                lines[lines.count - 1] += " \(word)"
            }
        }
        return lines
    }

    private static func target(of command: ClientCommand) -> String {
        var path = command.path
        for parameter in command.inPath {
            let parts = path.split(separator: "{\(parameter.name)}", omittingEmptySubsequences: false)
            let isText = type(of: parameter) == "String"
            path = parts.joined(separator: "\\(\(parameter.name)\(isText ? ".pathSegment" : ""))")
        }
        for parameter in command.query {
            path +=
                parameter.isRequired
                ? "?\(parameter.name)=\\(\(parameter.name).pathSegment)"
                : "\\(\(parameter.name))"
        }
        return "\"\\(path)\(path)\""
    }

    private static func type(of parameter: ClientCommand.Parameter) -> String {
        switch parameter.schema["type"] {
        case .string("integer"): "Int"
        case .string("boolean"): "Bool"
        default: "String"
        }
    }

    private static func json(of parameter: ClientCommand.Parameter) -> String {
        switch type(of: parameter) {
        case "Int": ".number(String(\(parameter.name)))"
        case "Bool": ".bool(\(parameter.name))"
        default: ".string(\(parameter.name))"
        }
    }
}
