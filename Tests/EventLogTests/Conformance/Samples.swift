import AuctionDomain
import EventLog
import Testing

/// Generates a room's appends, each expecting the head of the previous one.
struct SampleRoom {
    let id: RoomID
    var head = RoomHead.none
    /// Distinguishes diverging histories of the same room.
    var branch: UInt64 = 0
    var profile: RoomProfile
    var status = Samples.status()

    init(_ number: UInt64, profile: RoomProfile = Samples.profile()) {
        id = RoomID(bits: UInt128(number) << 64 | 0xC0FFEE)
        self.profile = profile
    }

    /// The next append, of `count` events. Updates `head` as if it had been committed.
    mutating func next(
        _ count: Int = 1, profile changed: RoomProfile? = nil, responses: [StoredResponse] = [], bytes: [UInt8]? = nil,
        users: UserChanges = UserChanges()
    ) -> RoomAppend {
        let expected = head
        let events = (0..<count).map { Samples.event(expected.seq + 1 + $0, branch: branch, bytes: bytes) }
        let append = RoomAppend(
            room: id, expected: expected, events: events, profile: expected == .none ? profile : changed,
            status: status, responses: responses, users: users)
        head = append.newHead
        return append
    }

    func comparison(with expected: RoomHead, responses: [StoredResponse] = []) -> RoomAppend {
        RoomAppend(room: id, expected: expected, events: [], profile: nil, status: status, responses: responses)
    }
}

enum Samples {
    static let noon = Timestamp(milliseconds: 1_764_000_000_000)

    static func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: noon.milliseconds + milliseconds) }

    static func event(_ seq: Int, branch: UInt64 = 0, bytes: [UInt8]? = nil, hidden: [UInt8]? = nil) -> StoredEvent {
        StoredEvent(
            seq: seq, at: after(Int64(seq)), type: "bid.placed",
            publicBytes: bytes ?? Array(#"{"seq":\#(seq),"type":"bid.placed"}"#.utf8), privateBytes: hidden,
            hash: hash(seq, branch: branch))
    }

    /// Not a digest, but with the top bit set as often as in one.
    static func hash(_ seq: Int, branch: UInt64 = 0) -> EventHash {
        let word = (UInt64(seq) &+ branch << 32) &* 0x9E37_79B9_7F4A_7C15
        return EventHash(words: (word, ~word, word &+ 1, word &* 3))
    }

    static func profile(
        name: String = "Spring sale", host: UInt128 = 1, visibility: String = "public", item: String? = nil
    ) -> RoomProfile {
        RoomProfile(
            name: name, host: Person(id: UserID(bits: host), nickname: "Ada"), currency: "EUR", visibility: visibility,
            openedAt: noon, itemName: item)
    }

    static func status(
        _ state: String = "preparing", endsAt: Timestamp? = nil, price: Int64? = nil, archived: Bool = false
    ) -> RoomStatus {
        RoomStatus(state: state, round: 1, endsAt: endsAt, currentPrice: price, isArchived: archived)
    }

    static func response(
        _ key: UInt128, owner: KeyOwner = KeyOwner(bits: 7), at: Timestamp = noon, headers: [ResponseHeader] = [],
        bytes: Int? = nil
    ) -> StoredResponse {
        StoredResponse(
            key: key << 64 | key, fingerprint: .max - UInt64(key), owner: owner, at: at, status: 201, headers: headers,
            body: bytes.map { [UInt8](repeating: 0x7B, count: $0) } ?? Array(#"{"key":\#(key)}"#.utf8))
    }
}

extension EventLog {
    /// Appends one element and expects success; returns the positions of its responses.
    @discardableResult
    func commit(_ append: RoomAppend, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Int64] {
        let verdicts = try self.append([append])
        guard verdicts.count == 1, case .appended(let positions) = verdicts[0] else {
            Issue.record("\(verdicts) instead of success", sourceLocation: sourceLocation)
            return []
        }
        return positions
    }

    /// Creates a room with one event.
    @discardableResult
    func create(_ room: SampleRoom, status: RoomStatus = Samples.status()) throws -> SampleRoom {
        var room = room
        room.status = status
        try commit(room.next())
        return room
    }

    func seqs(_ room: RoomID) throws -> [Int] { try events(of: room, after: 0, limit: 1000).map(\.seq) }
}
