package import Permissions

/// Why a command was refused; the room is unchanged.
package struct Refusal: Error, Hashable, Sendable {
    /// Classes of refusals; the HTTP status follows from them.
    package enum Kind: Hashable, Sendable {
        /// A permission rule denied the action.
        case denied(PermissionDenial<RoomAction>)
        /// A user or object that the command names does not exist, or is hidden from the caller.
        case notFound
        /// The room's state contradicts the command.
        case conflict
        /// A value of the request is invalid in this room, such as an amount or a rule.
        case malformed(field: String)
        /// Rows of an import are wrong, in the order of their lines; never empty.
        case rows([RowProblem])
        /// The caller may not do this, in any state of the room.
        case forbidden
        /// A bound on what is stored has been reached.
        /// - Parameter retryAfterSeconds: When there is space again, at the earliest; nil: the room stays full until it is archived.
        case storageFull(retryAfterSeconds: Int? = nil)
        /// What the command needs beside the room cannot be read or stored now; it may be repeated.
        /// - Parameter retryAfterSeconds: When, at the earliest; nil: soon.
        case unavailable(retryAfterSeconds: Int?)
    }

    /// Decides the status of the response.
    package let kind: Kind
    /// Stable, for programs: `bid.below_minimum`.
    package let code: String
    /// The explanation that clients show, in English and Chinese.
    package let text: LocalizedText
    /// The value that would have been accepted, for example the minimum amount; nil if there is no such value.
    package let required: String?
    /// The value that was refused, or the state that caused it; nil if there is no such value.
    package let actual: String?

    package init(
        _ kind: Kind, code: String, _ text: LocalizedText, required: String? = nil, actual: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.text = text
        self.required = required
        self.actual = actual
    }

    package init(_ denial: PermissionDenial<RoomAction>) {
        self.init(
            .denied(denial), code: denial.rule, denial.reason.text, required: denial.reason.required,
            actual: denial.reason.actual)
    }

    /// Refusal of a value of the request, as those that are checked before a room is asked.
    static func malformed(
        _ field: String, _ text: LocalizedText, required: String? = nil, actual: String? = nil
    ) -> Refusal {
        Refusal(.malformed(field: field), code: "request.malformed", text, required: required, actual: actual)
    }

    /// Refusal of an action that the state object does not implement; normally the permission center refuses it before.
    package static func unavailable(_ action: RoomAction, in state: RoomState) -> Refusal {
        Refusal(
            .conflict, code: "auction.unavailable",
            LocalizedText(
                "\(action.rawValue) is not possible while the room is \(state).", "房间处于“\(state)”阶段时不能执行 \(action.rawValue)。"),
            actual: state.rawValue)
    }

    /// The same for a room that does not exist and one that is hidden from the caller.
    package static let roomNotFound = Refusal(
        .notFound, code: "room.not_found", LocalizedText("There is no such room.", "没有这个房间。"))

    /// The user of that id is no member.
    package static let memberNotFound = Refusal(
        .notFound, code: "member.not_found", LocalizedText("There is no such member in this room.", "房间中没有该成员。"))

    /// The item belongs to another round, or does not exist.
    package static let itemNotFound = Refusal(
        .notFound, code: "item.not_found", LocalizedText("There is no such item in this round.", "本轮没有该物品。"))

    /// Removed, never sent, or no longer among the latest.
    package static let messageNotFound = Refusal(
        .notFound, code: "message.not_found",
        LocalizedText("There is no such message, or it is too old to be removed.", "没有该消息,或消息过旧无法移除。"))

    /// No permission rule has that id.
    package static let ruleNotFound = Refusal(
        .notFound, code: "rule.not_found", LocalizedText("There is no such rule.", "没有这条规则。"))

    /// The same refusal with the identifier that was refused.
    func naming(_ actual: some CustomStringConvertible) -> Refusal {
        Refusal(kind, code: code, text, required: required, actual: actual.description)
    }
}
