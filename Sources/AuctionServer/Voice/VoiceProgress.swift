internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// How far the reader of the feed has got that calls the RTC service, and which node it runs on.
///
/// That node writes this record every few seconds, and expects the version that it wrote last: another one takes over once it has seen
/// the same version for a while by its own clock.
struct VoiceProgress: Hashable, Sendable {
    /// Kind of its record, of which there is one.
    static let recordKind = "voice"
    static let recordID = "livekit"

    /// `FeedCursor.text`: the RTC service agrees with all events before it.
    var cursor: String
    /// The node that calls; nil if none does.
    var holder: String?
    /// The RTC service agrees with all bans by operators before it; nil if that is not known.
    var bansBefore: Timestamp?

    init(cursor: String, holder: String?, bansBefore: Timestamp?) {
        (self.cursor, self.holder, self.bansBefore) = (cursor, holder, bansBefore)
    }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        guard let value = try? JSONReader.read(record.content), var fields = try? JSONFields(value) else { return nil }
        do throws(JSONError) {
            cursor = try fields.string("cursor")
            holder = try fields.optionalString("holder")
            bansBefore = try fields.optionalInt("bansBefore").map { Timestamp(milliseconds: Int64($0)) }
        } catch { return nil }
    }

    /// The change that writes it.
    func change(if expected: ExpectedRecord) -> RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("cursor", cursor)
            json.member("holder", holder)
            json.member("bansBefore", (bansBefore?.milliseconds).map { Int($0) })
        }
        return .put(Self.recordKind, Self.recordID, json.bytes, if: expected)
    }
}
