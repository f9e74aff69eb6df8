internal import Permissions
internal import StateMachines

extension Refusal {
    /// The refusal of a step by the handshake's state machine.
    init(_ refused: Refused<HandshakeDefinition>) {
        switch refused {
        case .unexpected(let step, let state): self = .stageWrongStep(step, in: state)
        case .rejectedByGuards(_, _, let reasons):
            switch reasons.first {
            case .only(let side): self = .stageNotYours(side)
            case .neitherHostNorGuest, nil: self = .stageNotYours(nil)
            case .noFreeSeat: self = .stageNoSeat
            }
        }
    }

    /// The handshake never existed or has ended.
    package static let stageNotFound = Refusal(
        .notFound, code: "stage.not_found",
        LocalizedText("There is no such request or invitation any more.", "该申请或邀请不存在或已结束。"))

    static let stageNotMember = Refusal(
        .notFound, code: "stage.not_member",
        LocalizedText("Only a member of the room can take the stage.", "只有房间成员才能上台。"))

    static let stageGuestBanned = Refusal(
        .conflict, code: "stage.guest_banned",
        LocalizedText("A banned member cannot take the stage.", "被封禁的成员不能上台。"), required: "not banned", actual: "banned")

    /// - Parameter side: the side whose step it is; nil if both sides may take it.
    static func stageNotYours(_ side: HandshakeSide?) -> Refusal {
        let text =
            switch side {
            case .host: LocalizedText("Only the host can do this.", "只有房主可以这样做。")
            case .guest: LocalizedText("Only the guest can do this.", "只有嘉宾本人可以这样做。")
            case nil: LocalizedText("Only the host or the guest can do this.", "只有房主或嘉宾本人可以这样做。")
            }
        return Refusal(.forbidden, code: "stage.not_yours", text, required: side?.rawValue ?? "host or guest")
    }

    static func stageWrongStep(_ step: HandshakeDefinition.Event, in state: HandshakeState) -> Refusal {
        Refusal(
            .conflict, code: "stage.wrong_step",
            LocalizedText(
                "\(step.rawValue) is not the next step while the handshake is \(state.rawValue).",
                "当前上台流程处于“\(state.rawValue)”,不能执行 \(step.rawValue)。"),
            actual: state.rawValue)
    }

    static let stageNoSeat = Refusal(
        .conflict, code: "stage.no_seat",
        LocalizedText("Every seat is taken or closed.", "所有座位都已被占用或关闭。"))

    static let stageNoRequest = Refusal(
        .conflict, code: "stage.no_request",
        LocalizedText("They have not asked for a seat with this role.", "该成员没有申请此角色的座位。"), required: "a request")

    static let stageQueueFull = Refusal(
        .conflict, code: "stage.queue_full",
        LocalizedText(
            "\(StageLimits.queuedRequests) requests are waiting already.", "已有 \(StageLimits.queuedRequests) 个申请在排队。"),
        required: "fewer than \(StageLimits.queuedRequests)", actual: "\(StageLimits.queuedRequests)")

    static let stageHost = Refusal(
        .conflict, code: "stage.host",
        LocalizedText("The host leads the room and takes no seat.", "房主主持房间,不占座位。"))

    static let stageAlreadySeated = Refusal(
        .conflict, code: "stage.already_seated", LocalizedText("They are on stage already.", "该成员已在台上。"))
}
