// Made of the operations in Sources/AuctionContract by `auction-room contract`.

/// What a command does.
public struct CommandKind: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Open a room and become its host.
    public static let openRoom: Self = "openRoom"
    /// Archive a room.
    public static let archiveRoom: Self = "archiveRoom"
    /// Join a room, or change between viewer and bidder.
    public static let join: Self = "join"
    /// Leave a room.
    public static let leave: Self = "leave"
    /// Change a member: role, mute, ban, credit limit.
    public static let changeMember: Self = "changeMember"
    /// Remove a member.
    public static let kick: Self = "kick"
    /// Approve a bidder.
    public static let approveApplication: Self = "approveApplication"
    /// Decline a bidder.
    public static let declineApplication: Self = "declineApplication"
    /// Upload the item of the round, or replace the caller's own.
    public static let uploadItem: Self = "uploadItem"
    /// Adjust the rules of the item.
    public static let adjustRules: Self = "adjustRules"
    /// Queue a lot.
    public static let queueLot: Self = "queueLot"
    /// Queue the lots of a file.
    public static let importLots: Self = "importLots"
    /// Change or move a queued lot.
    public static let changeLot: Self = "changeLot"
    /// Withdraw a queued lot.
    public static let withdrawLot: Self = "withdrawLot"
    /// Offer a lot again that was not sold.
    public static let reofferLot: Self = "reofferLot"
    /// Leave a bid on a lot.
    public static let placeAbsenteeBid: Self = "placeAbsenteeBid"
    /// Take back the bid that was left on a lot.
    public static let withdrawAbsenteeBid: Self = "withdrawAbsenteeBid"
    /// Say how the lots are sold.
    public static let configureSale: Self = "configureSale"
    /// Start the automatic sale.
    public static let startSale: Self = "startSale"
    /// Stop the sale after the current lot.
    public static let stopSale: Self = "stopSale"
    /// Start: list the item, open the bidding early, or begin the next round.
    public static let start: Self = "start"
    /// End the auction.
    public static let end: Self = "end"
    /// Pause the round.
    public static let pause: Self = "pause"
    /// Resume the round.
    public static let resume: Self = "resume"
    /// Cancel the round.
    public static let cancel: Self = "cancel"
    /// Give the round more time.
    public static let extend: Self = "extend"
    /// Say "going once" or "going twice".
    public static let warn: Self = "warn"
    /// Change the increment, or ask for another next minimum.
    public static let changeAsk: Self = "changeAsk"
    /// Place a bid.
    public static let placeBid: Self = "placeBid"
    /// Retract a bid.
    public static let retractBid: Self = "retractBid"
    /// Switch a rule on or off, or change its priority.
    public static let configureRule: Self = "configureRule"
    /// Send a message to the room.
    public static let sendMessage: Self = "sendMessage"
    /// Remove a message.
    public static let removeMessage: Self = "removeMessage"
    /// Report a message to the host.
    public static let reportMessage: Self = "reportMessage"
    /// Void a sale.
    public static let voidResult: Self = "voidResult"
    /// Accept an offer.
    public static let acceptOffer: Self = "acceptOffer"
    /// Decline an offer.
    public static let declineOffer: Self = "declineOffer"
    /// A step of the handshake for a seat, or something about a seat.
    public static let stage: Self = "stage"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [
        openRoom,
        archiveRoom,
        join,
        leave,
        changeMember,
        kick,
        approveApplication,
        declineApplication,
        uploadItem,
        adjustRules,
        queueLot,
        importLots,
        changeLot,
        withdrawLot,
        reofferLot,
        placeAbsenteeBid,
        withdrawAbsenteeBid,
        configureSale,
        startSale,
        stopSale,
        start,
        end,
        pause,
        resume,
        cancel,
        extend,
        warn,
        changeAsk,
        placeBid,
        retractBid,
        configureRule,
        sendMessage,
        removeMessage,
        reportMessage,
        voidResult,
        acceptOffer,
        declineOffer,
        stage,
    ]
}

extension CommandKind {
    /// Orders that would be about another item in a later round.
    static let ofRounds: Set<Self> = [.cancel, .changeAsk, .end, .extend, .pause, .resume, .start, .warn]
}
