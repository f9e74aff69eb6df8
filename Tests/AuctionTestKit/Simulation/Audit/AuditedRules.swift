internal import ExactJSON

/// An item's rules, parsed from the public and private parts of its event. Amounts in minor units, durations in milliseconds.
struct AuditedRules {
    let start: Int64
    private(set) var steps: [(from: Int64, step: Int64)]
    private(set) var percent: Int64?
    let reserve: Int64?
    let buyNow: Int64?
    let floor: Int64?
    let listing: Int64
    let bidding: Int64
    let countdown: String
    let window: Int64
    let extendBy: Int64
    let maxDuration: Int64?
    let tick: Int64?
    let format: String
    let tie: String

    /// The formats that the auditor has an oracle for.
    private static let formats: Set<String> = ["english", "dutch", "sealedFirstPrice", "vickrey"]

    init?(_ json: JSONValue?, secret: JSONValue?) {
        func milliseconds(_ name: String) -> Int64? { json?[name]?.int.map { Int64($0) * 1000 } }
        guard let json, let start = json["startingPrice"]?.units, let listing = milliseconds("listingSeconds"),
            let bidding = milliseconds("biddingSeconds"), let format = json["format"]?.text, Self.formats.contains(format)
        else { return nil }
        (self.start, self.listing, self.bidding, self.format) = (start, listing, bidding, format)
        (steps, percent) = Self.increment(json["increment"])
        reserve = secret?["reservePrice"]?.units
        buyNow = json["buyNowPrice"]?.units
        floor = json["floorPrice"]?.units
        countdown = json["countdown"]?.text ?? "reset"
        window = milliseconds("extendWindowSeconds") ?? 0
        extendBy = milliseconds("extendBySeconds") ?? 0
        maxDuration = milliseconds("maxDurationSeconds")
        tick = milliseconds("dutchTickSeconds")
        tie = json["tie"]?.text ?? "earliest"
    }

    private static func increment(_ json: JSONValue?) -> (steps: [(from: Int64, step: Int64)], percent: Int64?) {
        let tiers = (json?["tiers"]?.elements ?? []).map { tier in
            (from: tier["from"]?.units ?? 0, step: tier["step"]?.units ?? 0)
        }
        return (json?["fixed"]?.units.map { [(from: Int64(0), step: $0)] } ?? tiers, json?["percent"]?.int.map(Int64.init))
    }

    mutating func change(increment: JSONValue?) { (steps, percent) = Self.increment(increment) }

    var isSealed: Bool { format == "vickrey" || format == "sealedFirstPrice" }

    /// Whether a seed decides between equal bids.
    var drawsTies: Bool { isSealed && tie == "draw" }

    /// Milliseconds that an open round has left at least after an outage or a clock jump.
    var leastRemaining: Int64 { min(tick ?? bidding, 60_000) }

    var drops: Int64 {
        guard let floor, let step = steps.first?.step, step > 0 else { return 0 }
        return (start - floor + step - 1) / step
    }

    var newOracle: AuditedRoom.FormatOracle {
        switch format {
        case "english":
            .english(EnglishOracle(start: start, steps: steps, percent: percent, reserve: reserve, buyNow: buyNow))
        case "dutch": .dutch(taken: nil)
        default: .sealed(SealedOracle(start: start, reserve: reserve, isVickrey: format == "vickrey"))
        }
    }
}
