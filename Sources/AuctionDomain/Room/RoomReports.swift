/// The latest reports of a room's messages, as far as limits and lists need them. What they say is in the log only.
package struct RoomReports: Hashable, Sendable, Codable {
    /// A report without its texts.
    package struct Entry: Hashable, Sendable, Codable {
        /// The seq of the report's event.
        package let seq: Int
        /// The message that was reported.
        package let message: MessageID
        /// The seq of that message's event.
        package let messageSeq: Int
        /// The member who reported it, or the user to whom that guest was linked.
        package fileprivate(set) var reporter: UserID
        /// Whether the host has removed the message.
        package fileprivate(set) var isRemoved = false
    }

    /// Number of the latest reports that are kept.
    package static let limit = 256
    /// The most reports of one member among those that are kept.
    package static let userLimit = 20
    /// Longest reason of a report, in Unicode scalars.
    package static let reasonLimit = 500

    /// At most `limit` reports, oldest first.
    package private(set) var recent: [Entry] = []
    /// Number of all reports in the room, also of those that are not kept.
    package private(set) var count = 0

    package init() {}

    /// Number of the member's reports that are kept.
    func count(by reporter: UserID) -> Int { recent.count { $0.reporter == reporter } }

    func contains(_ message: MessageID, by reporter: UserID) -> Bool {
        recent.contains { $0.message == message && $0.reporter == reporter }
    }

    mutating func append(_ reported: MessageReported, seq: Int) {
        if recent.count == Self.limit { recent.removeFirst() }
        recent.append(
            Entry(seq: seq, message: reported.message, messageSeq: reported.messageSeq, reporter: reported.reporter.id))
        count = reported.reports
    }

    fileprivate mutating func remove(_ message: MessageID) {
        for index in recent.indices where recent[index].message == message { recent[index].isRemoved = true }
    }

    fileprivate mutating func move(from guest: UserID, to user: UserID) {
        for index in recent.indices where recent[index].reporter == guest { recent[index].reporter = user }
    }
}

/// A member reported a message to the host. No other user learns who, or which message: all but the number is private.
package struct MessageReported: Hashable, Sendable {
    /// Number of the room's reports with this one; the only part that is public.
    package let reports: Int
    /// Identifier of the report.
    package let id: ReportID
    /// The message that was reported.
    package let message: MessageID
    /// The seq of that message's event.
    package let messageSeq: Int
    /// The member, with their nickname at that time.
    package let reporter: Person
    /// Free text from the member; nil if they gave none.
    package let reason: String?

    /// The size of a reason as the room's storage counts it, whatever the reason is: a sum that others see must not tell of it.
    static let reasonBytes = 3000

    package init(reports: Int, id: ReportID, message: MessageID, messageSeq: Int, reporter: Person, reason: String?) {
        self.reports = reports
        self.id = id
        self.message = message
        self.messageSeq = messageSeq
        self.reporter = reporter
        self.reason = reason
    }
}

extension Room {
    /// The reports of messages.
    package var reports: RoomReports { fields.value.hand?.reports ?? RoomReports() }

    /// Number of all reports in the room.
    package var reportCount: Int { fields.value.hand?.reports?.count ?? 0 }
}

extension RoomFields {
    mutating func apply(_ reported: MessageReported, in event: Event) {
        changeHand { hand in
            var reports = hand.reports ?? RoomReports()
            reports.append(reported, seq: event.seq)
            hand.reports = reports
        }
    }

    /// The host has removed the message; its reports are kept.
    mutating func removeReported(_ message: MessageID) {
        if hand?.reports != nil { changeHand { $0.reports?.remove(message) } }
    }

    mutating func moveReports(from guest: UserID, to user: UserID) {
        if hand?.reports?.count(by: guest) ?? 0 > 0 { changeHand { $0.reports?.move(from: guest, to: user) } }
    }
}
