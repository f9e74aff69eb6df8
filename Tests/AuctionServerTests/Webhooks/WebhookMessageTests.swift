import AuctionDomain
import EventLog
import ExactJSON
import Testing

@testable import AuctionServer

struct WebhookMessageTests {
    private let room = RoomID(bits: 1 << 64 | 1)

    private func event(_ data: String, type: String = "item.uploaded") -> StoredEvent {
        StoredEvent(
            seq: 4, at: Timestamp(milliseconds: 1_767_225_600_000), type: type,
            publicBytes: Array(#"{"seq":4,"type":"\#(type)","data":\#(data)}"#.utf8), privateBytes: nil, hash: .zero)
    }

    @Test func `a body has the event with the bytes of its room`() throws {
        let message = WebhookMessage(event(#"{"n":1.50}"#), of: room, to: "webhook_1")
        let data = #"{"room":"\#(room)","event":{"seq":4,"type":"item.uploaded","data":{"n":1.50}}}"#
        let body = #"{"type":"item.uploaded","timestamp":"2026-01-01T00:00:00.000Z","data":\#(data)}"#
        #expect(String(decoding: message.body, as: UTF8.self) == body)
    }

    @Test func `an id is the same for the same event and endpoint, and differs otherwise`() {
        let ids = [
            WebhookMessage.id(of: 4, 0, "item.sold", in: room, to: "webhook_1"),
            WebhookMessage.id(of: 5, 0, "item.sold", in: room, to: "webhook_1"),
            WebhookMessage.id(of: 4, 0, "lot.next", in: room, to: "webhook_1"),
            WebhookMessage.id(of: 4, 0, "item.sold", in: room, to: "webhook_2"),
            WebhookMessage.id(of: 4, 1, "item.sold", in: room, to: "webhook_1"),
            WebhookMessage.id(of: 4, 0, "item.sold", in: RoomID(bits: 2 << 64), to: "webhook_1"),
        ]
        #expect(Set(ids).count == ids.count)
        #expect(WebhookMessage(event("{}", type: "item.sold"), of: room, to: "webhook_1").id == ids[0])
        #expect(ids[0].hasPrefix("msg_") && ids[0].utf8.count == 36)
    }

    @Test func `a long event loses the description of the item, and one that is still too long all but its envelope`() throws {
        func sent(_ data: String) throws -> (bytes: Int, body: JSONValue) {
            let body = WebhookMessage(event(data), of: room, to: "webhook_1").body
            return (body.count, try JSONReader.read(body, limits: .trusted(depth: 20)))
        }
        let long = String(repeating: "x", count: 20_000)
        let short = try sent(#"{"item":{"name":"Vase","description":"short"}}"#)
        #expect(short.body["truncated"] == nil && short.body.text("data.event.data.item.description") == "short")
        let item = try sent(#"{"item":{"name":"Vase","description":"\#(long)"}}"#)
        #expect(item.body["truncated"] == true && item.bytes < WebhookMessage.byteLimit)
        #expect(item.body.text("data.event.data.item.name") == "Vase")
        #expect(item.body["data"]?["event"]?["data"]?["item"]?["description"] == nil)
        let list = try sent(#"{"order":["\#(long)"]}"#)
        #expect(list.body["truncated"] == true && list.bytes < WebhookMessage.byteLimit)
        #expect(list.body.int("data.event.seq") == 4 && list.body["data"]?["event"]?["data"] == nil)
        #expect(list.body.text("data.event.at") == "2026-01-01T00:00:00.000Z")
    }

    @Test func `a signature is the one of the example of Standard Webhooks`() throws {
        // The example of the specification's reference libraries.
        let key = try #require(Base64URL.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8))
        let message = WebhookMessage(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: Array(#"{"test": 2432232314}"#.utf8))
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        #expect(message.signature(at: 1_614_265_330, keys: [key]) == expected)
        let both = message.signature(at: 1_614_265_330, keys: [Array(repeating: 1, count: 32), key])
        #expect(both.hasSuffix(" " + expected) && both.split(separator: " ").count == 2)
    }

    @Test func `the previous key signs for a day after it was replaced`() throws {
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        var secrets = WebhookSecrets([1])
        #expect(secrets.keys(at: now) == [[1]])
        try secrets.rotate(to: [2], at: now)
        #expect(secrets.keys(at: now.advanced(byMilliseconds: 86_399_999)) == [[2], [1]])
        #expect(secrets.keys(at: now.advanced(byMilliseconds: 86_400_000)) == [[2]])
    }

    @Test func `each replaced key signs for its day, whatever was replaced since, and there are at most four`() throws {
        let begin = Timestamp(milliseconds: 1_767_225_600_000)
        func time(_ hours: Int64) -> Timestamp { begin.advanced(byMilliseconds: hours * 3_600_000) }
        var webhook = Webhook(
            id: "webhook_1", url: "https://hooks.example/", filter: FeedFilter(), description: nil, createdAt: begin,
            secrets: WebhookSecrets([0]), pause: nil)
        for hour in 1...4 as ClosedRange<UInt8> { try webhook.secrets.rotate(to: [hour], at: time(Int64(hour))) }
        // As the log keeps it.
        let record = StoredRecord(
            kind: Webhook.recordKind, id: webhook.id, version: 1, expiresAt: nil, content: webhook.recordContent)
        webhook = try #require(Webhook(record))
        #expect(webhook.secrets.keys(at: time(5)) == [[4], [3], [2], [1], [0]])
        #expect(webhook.secrets.keys(at: time(24)) == [[4], [3], [2], [1], [0]])
        #expect(webhook.secrets.keys(at: time(25)) == [[4], [3], [2], [1]])
        #expect(webhook.secrets.keys(at: time(28)) == [[4]])
        let refused = try #require(throws: WebhookSecrets.TooMany.self) {
            try webhook.secrets.rotate(to: [5], at: time(24))
        }
        #expect(refused.until == time(25) && webhook.secrets.current == [4])
        try webhook.secrets.rotate(to: [5], at: time(25))
        #expect(webhook.secrets.keys(at: time(25)) == [[5], [4], [3], [2], [1]])
        #expect(webhook.secrets.replaced.count == WebhookSecrets.replacedLimit)
    }
}
