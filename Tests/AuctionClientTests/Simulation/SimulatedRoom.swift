@testable import AuctionClientCore

/// The room of the simulated service at one seq: the truth that clients are compared with.
struct SimulatedRoom: Hashable {
    var seq: Int64 = 0
    var phase = "preparing"
    var round = 1
    var itemName: String?
    /// Minor units.
    var price: Int64?
    var leader: String?
    var leadingBid: String?
    var leadingAt: Int64 = 0
    var nextMinimum: Int64?
    var endsAt: Int64?

    static let rules = """
        {"startingPrice":"10.00","increment":{"fixed":"1.00"},"buyNowPrice":null,"floorPrice":null,"listingSeconds":3,\
        "biddingSeconds":15,"countdown":"reset","extendWindowSeconds":10,"extendBySeconds":10,"maxDurationSeconds":null,\
        "dutchTickSeconds":null,"format":"english","tie":"earliest"}
        """
    static let start: Int64 = 1000

    static func amount(_ units: Int64?) -> String {
        guard let units else { return "null" }
        return "\"\(Money(minorUnits: units, currency: "CNY").decimal)\""
    }

    static func person(_ name: String) -> String { #"{"id":"user_\#(name)","nickname":"\#(name)"}"# }

    /// Milliseconds since 1970 as the service writes times; within one day, which is enough here.
    static func time(_ milliseconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = rest < 10 ? "00\(rest)" : rest < 100 ? "0\(rest)" : "\(rest)"
        let day = 1 + seconds / 86400
        return "1970-01-\(two(day))T\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)Z"
    }

    private static func optionalTime(_ milliseconds: Int64?) -> String { milliseconds.map { "\"\(time($0))\"" } ?? "null" }

    private var currentBid: String {
        guard let price, let leader, let leadingBid else { return "null" }
        return """
            {"id":"\(leadingBid)","amount":\(Self.amount(price)),"bidder":\(Self.person(leader)),"at":"\(Self.time(leadingAt))"}
            """
    }

    private var item: String {
        itemName.map {
            #"{"id":"item_\#(round)","name":"\#($0)","description":"","media":[],"owner":\#(Self.person("Bo"))}"#
        } ?? "null"
    }

    /// The room as a response has it, for a caller.
    func json(serverTime: Int64, for caller: String, shown: String) -> String {
        """
        {"id":"room_1","name":"Night market","host":\(Self.person("Ann")),"currency":"CNY","visibility":"public","state":"\(shown)",\
        "stateDescription":"as it is","round":\(round),"seq":\(seq),"item":\(item),"rules":\(itemName == nil ? "null" : Self.rules),\
        "currentPrice":\(Self.amount(price)),"currentBid":\(currentBid),"nextMinimum":\(Self.amount(nextMinimum)),\
        "reserveMet":null,"endsAt":\(Self.optionalTime(endsAt)),"nextDropAt":null,"remainingMs":null,\
        "members":{"host":1},"viewers":1,"allowedActions":["placeBid"],"me":{"role":"bidder","leading":\(leader == caller),\
        "maximum":null,"sealedAmount":null,"creditLimit":null,"muted":false,"banned":false},"inviteCodes":["from the future"],\
        "serverTime":"\(Self.time(serverTime))"}
        """
    }

    var shortJSON: String {
        """
        {"id":"room_1","state":"\(phase)","round":\(round),"seq":\(seq),"currentPrice":\(Self.amount(price)),\
        "currentBid":\(currentBid),"nextMinimum":\(Self.amount(nextMinimum)),"reserveMet":null,\
        "endsAt":\(Self.optionalTime(endsAt)),"nextDropAt":null}
        """
    }

    /// Whether a client's state is this one. What no event tells is not compared.
    func agrees(with state: RoomState) -> Bool {
        state.seq == seq && state.phase.rawValue == phase && state.round == round && state.item?.name == itemName
            && state.currentPrice?.minorUnits == price && state.currentBid?.bidder.nickname == leader
            && state.currentBid?.id == leadingBid && state.nextMinimum?.minorUnits == nextMinimum
            && state.endsAt?.milliseconds == endsAt && (state.rules == nil) == (itemName == nil)
    }
}
