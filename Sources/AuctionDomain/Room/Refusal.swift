public import Permissions

/// Why a command was not carried out. The room is as it was.
public struct Refusal: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The permission centre said no.
        case denied(PermissionDenial<RoomAction>)
        /// Somebody or something that the command names does not exist, or is hidden from the caller.
        case notFound
        /// The room is not as the command expects it.
        case conflict
        /// A value of the request does not fit; only the room could tell.
        case malformed(field: String)
        /// The caller may not, whatever the room's state.
        case forbidden
        /// A bound on what is stored has been reached.
        case storageFull
    }

    public let kind: Kind
    /// Stable, for programs: `bid.below_minimum`.
    public let code: String
    public let text: LocalizedText
    public let required: String?
    public let actual: String?

    public init(
        _ kind: Kind, code: String, _ text: LocalizedText, required: String? = nil, actual: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.text = text
        self.required = required
        self.actual = actual
    }

    public init(_ denial: PermissionDenial<RoomAction>) {
        self.init(
            .denied(denial), code: denial.rule, denial.reason.text, required: denial.reason.required,
            actual: denial.reason.actual)
    }

    /// What a state object answers to an action that it knows nothing of; the permission centre refuses it first.
    public static func unavailable(_ action: RoomAction, in state: RoomState) -> Refusal {
        Refusal(
            .conflict, code: "auction.unavailable",
            LocalizedText(
                "\(action.rawValue) is not possible while the room is \(state).", "房间处于“\(state)”阶段时不能执行 \(action.rawValue)。"),
            actual: state.rawValue)
    }

    /// A room that does not exist and one that is hidden from the caller answer alike.
    public static let roomNotFound = Refusal(
        .notFound, code: "room.not_found", LocalizedText("There is no such room.", "没有这个房间。"))
}
