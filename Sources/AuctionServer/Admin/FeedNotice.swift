internal import AuctionDomain
internal import Cryptography
internal import EventLog
internal import ExactJSON

/// A position among the notices of the feed, between two of them.
struct NoticePosition: Hashable, Sendable {
    /// The position before all notices.
    static let beginning = NoticePosition(bits: 0)

    /// Number of the notice before this position in the upper half, in the lower one a part of its digest: after an older backup was
    /// restored another notice may get its number.
    let bits: UInt64

    /// Number of the notice before this position; 0 at the beginning.
    var number: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
}

/// What readers of the feed learn that is no room's event: a webhook was paused.
///
/// Notices are records, numbered without gaps. Each is written together with what it is about, if no other one has its number: a reader
/// who has got one misses none before it, whichever node writes them, and none is without its cause.
struct FeedNotice: Hashable, Sendable {
    /// Type of its event.
    static let type = "webhook.paused"
    /// Kind of its record; the id is its number in hexadecimal digits.
    static let recordKind = "feed-notice"
    /// So many are kept, the newest.
    static let limit: UInt32 = 1000
    /// So many of them, the newest, are given to a reader who begins once others have been removed: as many again may be written before its
    /// cursor is gone.
    static let startLimit: UInt32 = 500
    /// Most notices of one page.
    static let pageLimit = 100

    /// The position after it.
    let position: NoticePosition
    /// The bytes of its event.
    let event: [UInt8]

    private init(number: UInt32, event: [UInt8]) {
        let digest = SHA256.hash(data: event).prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
        (position, self.event) = (NoticePosition(bits: UInt64(number) << 32 | digest), event)
    }

    fileprivate init(_ pause: WebhookPause, of webhook: String, number: UInt32) {
        var json = JSONWriter(reserving: 192)
        json.object { json in
            json.member("type", Self.type)
            json.member("at", pause.at)
            json.member(
                "data",
                object: { json in
                    json.member("webhook", webhook)
                    json.member("reason", pause.reason.rawValue)
                })
        }
        self.init(number: number, event: json.bytes)
    }

    fileprivate init(_ record: StoredRecord) throws(EventLogError) {
        guard let number = UInt32(record.id, radix: 16) else {
            throw EventLogError(.corrupt, "the notice \(record.id) of the feed cannot be read")
        }
        self.init(number: number, event: record.content)
    }

    fileprivate static func recordID(_ number: UInt32) -> String { UInt64(number).hexadecimal }
}

extension FeedFilter {
    /// Notices are of no room.
    var takesNotices: Bool { rooms.isEmpty && takes(type: FeedNotice.type) }
}

extension RecordStore {
    /// The position after the newest notice.
    func noticeEnd() throws(EventLogError) -> NoticePosition {
        let newest = try records(RecordQuery(kind: FeedNotice.recordKind, isDescending: true, limit: 1)).first
        guard let newest else { return .beginning }
        return try FeedNotice(newest).position
    }

    /// Where a reader begins: before all notices, or, if the first ones have been removed, before the newest of those that are kept.
    func noticeStart() throws(EventLogError) -> NoticePosition {
        let end = try noticeEnd().number
        guard end > FeedNotice.limit else { return .beginning }
        let before = try record(FeedNotice.recordKind, FeedNotice.recordID(end - FeedNotice.startLimit))
        guard let before else { throw EventLogError(.corrupt, "a notice of the feed is missing") }
        return try FeedNotice(before).position
    }

    /// What has to be written together with the pause of a webhook, so that the feed has it. The writing is refused if another notice was
    /// written meanwhile.
    func changes(noticing pause: WebhookPause, of webhook: String) throws(EventLogError) -> [RecordChange] {
        let (number, isTooLarge) = try noticeEnd().number.addingReportingOverflow(1)
        guard !isTooLarge else { throw EventLogError(.corrupt, "the feed has no number for another notice") }
        let notice = FeedNotice(pause, of: webhook, number: number)
        let put = RecordChange.put(FeedNotice.recordKind, FeedNotice.recordID(number), notice.event, if: .none)
        guard number > FeedNotice.limit else { return [put] }
        return [put, .delete(FeedNotice.recordKind, FeedNotice.recordID(number - FeedNotice.limit))]
    }

    /// The notices after a position, at most `limit`.
    /// - Throws: `.gone` if the notice before the position is not kept any more, or not the one that it was; at the beginning if the first
    ///   notice is not kept any more.
    func notices(after position: NoticePosition, limit: Int) throws(FeedError) -> [FeedNotice] {
        let (last, following): (NoticePosition?, [FeedNotice])
        do throws(EventLogError) {
            let id = FeedNotice.recordID(position.number)
            last = try record(FeedNotice.recordKind, id).map { record throws(EventLogError) in try FeedNotice(record).position }
            following = try records(RecordQuery(kind: FeedNotice.recordKind, after: id, limit: limit))
                .map { record throws(EventLogError) in try FeedNotice(record) }
        } catch { throw .log(error) }
        let isWhole = position == .beginning ? following.first.map { $0.position.number == 1 } ?? true : last == position
        guard isWhole else { throw .gone }
        return following
    }
}
