internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// What the log keeps of an erasure until it is finished, so that it goes on after a crash, on whatever node.
struct ErasureRecord: Hashable, Sendable {
    static let kind = "erasure"
    /// How long a node has for a step before another one may go on.
    static let leaseMilliseconds: Int64 = 60_000
    /// How long after the beginning the last pass begins, at the earliest: by then every node refuses the tokens, and has written the snapshots
    /// and the events that it had begun.
    static let settlingMilliseconds: Int64 = 10_000
    /// Time between passes while a room cannot be changed, such as during a round.
    static let retryMilliseconds: Int64 = 30_000
    /// How long it is only asked for: by then every node refuses the user's commands, and those that it took before are in the log.
    static let askingMilliseconds = 3000

    let user: UserID
    let at: Timestamp
    /// The user, and the guests who were linked to them; at most `EraseMembers.limit`.
    private(set) var people: [UserID]
    /// When a node may go on, unless it is the one that works on it.
    var due: Timestamp
    /// Whether it is not decided yet: the user may be needed by a room, and then it is as if they had not asked. Of a node that ends before it
    /// has decided nothing follows.
    private(set) var isAsked = false

    init(_ user: UserID, at instant: Timestamp) {
        (self.user, at, people) = (user, instant, [user])
        due = instant.advanced(byMilliseconds: Self.leaseMilliseconds)
    }

    /// That the user asks for it.
    static func asked(_ user: UserID, at instant: Timestamp) -> Self {
        var record = Self(user, at: instant)
        record.isAsked = true
        return record
    }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        do throws(JSONError) {
            var fields = try JSONFields(try JSONReader.read(record.content))
            guard let user = UserID(record.id) else { return nil }
            self.user = user
            at = Timestamp(milliseconds: Int64(try fields.int("at")))
            due = Timestamp(milliseconds: Int64(try fields.int("due")))
            isAsked = try fields.optionalBool("asked") ?? false
            people = []
            for case .string(let text) in try fields.array("people") {
                guard let id = UserID(text) else { return nil }
                people.append(id)
            }
        } catch { return nil }
    }

    /// The people with their pseudonym.
    var pseudonyms: [Person] {
        let nickname = Pseudonym.nickname(of: user)
        return people.map { Person(id: $0, nickname: nickname) }
    }

    /// Adds guests of the user.
    mutating func add(_ guests: [UserID]) { people += guests.prefix(EraseMembers.limit - people.count) }

    /// The change that writes it.
    func change(if expected: ExpectedRecord = .any) -> RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("at", Int(at.milliseconds))
            json.member("due", Int(due.milliseconds))
            if isAsked { json.member("asked", true) }
            json.member("people", strings: people.map(\.description))
        }
        return .put(Self.kind, user.description, json.bytes, if: expected)
    }

    /// Writes it, and that its people have left.
    /// - Returns: False if the record is not as expected; then nothing is written.
    @discardableResult
    func write(to log: any EventLog, if expected: ExpectedRecord = .any) throws(EventLogError) -> Bool {
        guard try log.write([change(if: expected)]) else { return false }
        for slice in people.chunks(of: RecordLimits.changes) { _ = try log.write(slice.map { ErasedUsers.change($0, at: at) }) }
        return true
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
