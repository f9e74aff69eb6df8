// Commands in rooms that programs of the operator send too, with service tokens.
extension Operation {
    /// The commands of hosts and auctioneers whose body is JSON without a reason, so that operators add one to it.
    private static let withoutReason: Set<String> = [
        "approveApplication", "extend", "warn", "changeAsk", "uploadItem", "adjustRules", "queueLot", "changeLot", "reofferLot",
        "changeMember", "configurePermissions", "configureSale", "muteSeat", "moveSeat", "seatMember",
    ]
    /// Those whose body has a reason.
    private static let withReason: Set<String> = [
        "declineApplication", "startAuction", "endAuction", "pause", "resume", "cancel", "voidResult",
    ]
    /// Those without a body of JSON: the reason is in the query.
    private static let bodiless: Set<String> = [
        "archiveRoom", "clearSale", "startSale", "stopSale", "kick", "removeMessage", "retractBid", "withdrawLot", "importLots",
        "closeSeat", "clearSeat",
    ]

    /// The member of the body, or the parameter of the query, in which an operator says why.
    package static let operatorReason = "reason"

    /// Whether programs of the operator may send it, by the scope `rooms:write`. What people alone do is none of these: joining, bids, also
    /// those of the floor, messages, handshakes of the stage, answers to offers, uploads of pictures, and opening rooms.
    package var takesOperators: Bool {
        Self.withoutReason.contains(name) || Self.withReason.contains(name) || Self.bodiless.contains(name)
    }

    /// Whether programs of the operator may read it, by the scope `rooms:read`: what is read of a public room without a token, of private rooms as
    /// well, and the reports of messages, as the host reads them.
    package var isReadByOperators: Bool {
        method == .get && access == .optional && path.hasPrefix("/v1/rooms") || name == "listReports"
    }

    /// Whether the body has a reason of the command's own, which is an operator's too.
    package var hasOwnReason: Bool { Self.withReason.contains(name) }

    /// Whether operators add a reason to the body, which has none by itself.
    var addsReasonToBody: Bool { Self.withoutReason.contains(name) }

    /// The name of the schema of a body to which an operator has added the reason.
    static func byOperator(_ schema: String) -> String { schema + "ByOperator" }

    /// Names of the schemas of bodies to which operators add a reason.
    static let bodiesWithoutReason: [String] = {
        let names = all.filter(\.addsReasonToBody).flatMap { $0.body?.content.map(\.schema) ?? [] }
        return Set(names).sorted()
    }()

    /// Whether an operator says why in the query.
    package var saysReasonInQuery: Bool { Self.bodiless.contains(name) }
}
