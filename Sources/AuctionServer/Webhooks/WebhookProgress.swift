internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// How far an endpoint has got, and which node sends to it.
///
/// The node that sends writes this record with everything else that a delivery changes, and expects the version that it wrote last: a node that
/// was away for a while cannot undo what the one that took over has written.
struct WebhookProgress: Hashable, Sendable {
    /// Kind of its record, which has the endpoint's id.
    static let recordKind = "webhook-progress"

    /// `FeedCursor.text`: all events before it are delivered or parked.
    var cursor: String
    /// When the first delivery failed since the last that succeeded; nil if the last one succeeded.
    var failingSince: Timestamp?
    /// Deliveries that are to be repeated.
    var parked = 0
    /// The node that sends; nil if none does.
    var holder: String?

    init(cursor: String) { self.cursor = cursor }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        guard let value = try? JSONReader.read(record.content), var fields = try? JSONFields(value) else { return nil }
        do throws(JSONError) {
            cursor = try fields.string("cursor")
            failingSince = try fields.storedTime("failingSince")
            parked = try fields.int("parked")
            holder = try fields.optionalString("holder")
        } catch { return nil }
    }

    /// The change that writes it.
    func change(of webhook: String, if expected: ExpectedRecord) -> RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("cursor", cursor)
            json.member("failingSince", (failingSince?.milliseconds).map { Int($0) })
            json.member("parked", parked)
            json.member("holder", holder)
        }
        return .put(Self.recordKind, webhook, json.bytes, if: expected)
    }
}
