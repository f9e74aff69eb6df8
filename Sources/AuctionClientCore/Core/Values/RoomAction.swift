// Made of the operations in Sources/AuctionContract by `auction-room contract`.

/// An action that the permission center decides about.
public struct RoomAction: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Upload the item of the round, or replace the caller's own.
    public static let uploadItem: Self = "uploadItem"
    /// Adjust the rules of the item.
    public static let adjustRules: Self = "adjustRules"
    /// Start: list the item, open the bidding early, or begin the next round.
    public static let startAuction: Self = "startAuction"
    /// Place a bid.
    public static let placeBid: Self = "placeBid"
    /// Retract a bid.
    public static let retractBid: Self = "retractBid"
    /// End the auction.
    public static let endAuction: Self = "endAuction"
    /// Pause the round.
    public static let pause: Self = "pause"
    /// Resume the round.
    public static let resume: Self = "resume"
    /// Cancel the round.
    public static let cancel: Self = "cancel"
    /// Give the round more time.
    public static let extend: Self = "extend"
    /// Give a role.
    public static let setRole: Self = "setRole"
    /// Remove a member.
    public static let kick: Self = "kick"
    /// Ban a member.
    public static let ban: Self = "ban"
    /// Mute a member.
    public static let mute: Self = "mute"
    /// Limit what a member may owe.
    public static let setCreditLimit: Self = "setCreditLimit"
    /// Send a message to the room.
    public static let sendMessage: Self = "sendMessage"
    /// Remove a message.
    public static let removeMessage: Self = "removeMessage"
    /// Switch a rule on or off, or change its priority.
    public static let configurePermissions: Self = "configurePermissions"
    /// Ask for a seat.
    public static let requestStage: Self = "requestStage"
    /// Invite to the stage and manage its seats.
    public static let manageStage: Self = "manageStage"
    /// Archive a room.
    public static let archiveRoom: Self = "archiveRoom"
    /// Queue a lot.
    public static let queueLot: Self = "queueLot"
    /// Change or move a queued lot.
    public static let changeLot: Self = "changeLot"
    /// Withdraw a queued lot.
    public static let withdrawLot: Self = "withdrawLot"
    /// Configure, start and stop the sale.
    public static let runSale: Self = "runSale"
    /// Say "going once" or "going twice".
    public static let warn: Self = "warn"
    /// Change the increment, or ask for another next minimum.
    public static let changeAsk: Self = "changeAsk"
    /// Offer a lot again that was not sold.
    public static let reofferLot: Self = "reofferLot"
    /// Report a message to the host.
    public static let reportMessage: Self = "reportMessage"
    /// Leave a bid on a lot.
    public static let placeAbsenteeBid: Self = "placeAbsenteeBid"
    /// Take back the bid that was left on a lot.
    public static let withdrawAbsenteeBid: Self = "withdrawAbsenteeBid"
    /// placeFloorBid.
    public static let placeFloorBid: Self = "placeFloorBid"
    /// Void a sale.
    public static let voidResult: Self = "voidResult"
    /// answerOffer.
    public static let answerOffer: Self = "answerOffer"
    /// Approve and decline those who apply as bidders.
    public static let decideApplication: Self = "decideApplication"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [
        uploadItem,
        adjustRules,
        startAuction,
        placeBid,
        retractBid,
        endAuction,
        pause,
        resume,
        cancel,
        extend,
        setRole,
        kick,
        ban,
        mute,
        setCreditLimit,
        sendMessage,
        removeMessage,
        configurePermissions,
        requestStage,
        manageStage,
        archiveRoom,
        queueLot,
        changeLot,
        withdrawLot,
        runSale,
        warn,
        changeAsk,
        reofferLot,
        reportMessage,
        placeAbsenteeBid,
        withdrawAbsenteeBid,
        placeFloorBid,
        voidResult,
        answerOffer,
        decideApplication,
    ]
}
