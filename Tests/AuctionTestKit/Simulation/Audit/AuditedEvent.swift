internal import AuctionDomain
internal import Cryptography
internal import EventLog
internal import ExactJSON

/// An event of the final log, parsed from its bytes without the product's event decoder.
struct AuditedEvent {
    let seq: Int
    let type: String
    /// Milliseconds since 1970.
    let at: Int64
    let round: Int
    let data: JSONValue
    /// The private part, which no stream delivers; the auditor needs it to compute the expected winner.
    let secret: JSONValue?

    init?(_ stored: StoredEvent) {
        guard let json = Self.read(stored.publicBytes) else { return nil }
        self.init(json, secret: stored.privateBytes.flatMap(Self.read))
    }

    /// An event from its public part, and what is known of the private one.
    init?(_ json: JSONValue, secret: JSONValue?) {
        guard let seq = json["seq"]?.int, let type = json["type"]?.text, let at = json["at"]?.instant?.milliseconds,
            let round = json["round"]?.int, let data = json["data"]
        else { return nil }
        (self.seq, self.type, self.at, self.round, self.data) = (seq, type, at, round, data)
        self.secret = secret
    }

    static func read(_ bytes: [UInt8]) -> JSONValue? {
        guard case .success(let json) = Result(catching: { () throws(JSONError) in try JSONReader.read(bytes) }) else {
            return nil
        }
        return json
    }

    /// Identifier of the person in the member `name` of `data`.
    func person(_ name: String) -> String? { data[name]?["id"]?.text }

    /// Whether a program of the operator acts, which may what a host and an auctioneer may.
    var isByOperator: Bool { data["by"]?["kind"]?.text == "operator" }

    /// SHA-256 over the previous hash, the length of the public part, and both parts; reimplemented here independently of the product.
    static func hash(after previous: [UInt8], _ stored: StoredEvent) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(data: previous)
        let length = UInt64(stored.publicBytes.count)
        hasher.update(data: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> UInt64($0)) })
        hasher.update(data: stored.publicBytes)
        if let secret = stored.privateBytes { hasher.update(data: secret) }
        return Array(hasher.finalize())
    }

    static func digest(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(SHA256.hash(text).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The public fields of a room at one seq, as responses show them.
struct PublicSnapshot: Equatable {
    var state = "preparing"
    var round = 1
    var price: Int64?
    var leader: String?
    var minimum: Int64?
    var reserveMet: Bool?
    var endsAt: Int64?
    var warning = 0

    init() {}

    /// The room in a response's body; nil if the body has no room.
    init?(response: JSONValue) {
        guard let state = response["state"]?.text, let round = response["round"]?.int else { return nil }
        (self.state, self.round) = (state, round)
        price = response["price"]?.units
        leader = response["leader"]?.text
        minimum = response["nextMinimum"]?.units
        if case .bool(let met)? = response["reserveMet"] { reserveMet = met }
        endsAt = response["endsAt"]?.instant?.milliseconds
        warning = response["warning"]?.int ?? 0
    }
}
