import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionServer

struct WebhookEngineTests {
    private let room = RoomID(bits: 1 << 64 | 1)
    private let begin = Timestamp(milliseconds: 1_767_225_600_000)

    private func now(_ milliseconds: Int64) -> Now {
        Now(wall: begin.advanced(byMilliseconds: milliseconds), monotonic: milliseconds * 1_000_000)
    }

    private func batch(_ numbers: ClosedRange<Int64>) -> FeedBatch {
        let events = numbers.map { number in
            FeedEvent(
                room: room, number: number,
                event: StoredEvent(
                    seq: Int(number), at: begin, type: "bid.placed", publicBytes: Array("{}".utf8), privateBytes: nil,
                    hash: EventHash(words: (UInt64(number), 0, 0, 0))))
        }
        return FeedBatch(events: events, next: FeedPosition(number: numbers.upperBound, hash: UInt64(numbers.upperBound)))
    }

    private func engine(parked: [ParkedDelivery] = []) -> WebhookEngine {
        WebhookEngine(at: .beginning, failingSince: nil, parked: parked)
    }

    private func all(_ engine: inout WebhookEngine, at now: Now) -> [WebhookDelivery] {
        var deliveries: [WebhookDelivery] = []
        while let delivery = engine.nextDelivery(at: now) { deliveries.append(delivery) }
        return deliveries
    }

    @Test func `at most eight are in flight, and the next window begins after the whole of one`() {
        var engine = engine()
        engine.take(batch(1...32))
        var sent = all(&engine, at: now(0))
        #expect(sent.map(\.seq) == Array(1...8) && !engine.wantsEvents)
        for delivery in sent { engine.finished(delivery.key, WebhookAnswer(status: 204), at: now(1), jitter: 0) }
        for _ in 0..<3 {
            sent = all(&engine, at: now(2))
            for delivery in sent { engine.finished(delivery.key, WebhookAnswer(status: 200), at: now(2), jitter: 0) }
        }
        #expect(engine.wantsEvents && engine.position.number == 32)
    }

    @Test func `a window ends although a few hang: these are parked while they are in flight, and settled by their answers`()
        throws
    {
        var engine = engine()
        engine.take(batch(1...8))
        let hanging = all(&engine, at: now(0))
        for delivery in hanging.dropFirst(2) {
            engine.finished(delivery.key, WebhookAnswer(status: 200), at: now(5), jitter: 0)
        }
        engine.parkUnanswered(at: now(999))
        #expect(!engine.wantsEvents)
        engine.parkUnanswered(at: now(1000))
        #expect(engine.wantsEvents && engine.parkedCount == 2 && !engine.isQuiet)
        let save = try #require(engine.save(at: now(1000).monotonic))
        #expect(save.position.number == 8 && save.changes.count == 2 && save.parked == 2)
        // What a crash leaves is sent again at once.
        var next = WebhookEngine(at: save.position, failingSince: nil, parked: save.changes.values.compactMap(\.self))
        #expect(all(&next, at: now(1001)).map(\.seq) == [1, 2])
        engine.saved(save, at: now(1000).monotonic)
        // No second one of these, and no more than eight of the first time.
        engine.take(batch(9...20))
        #expect(all(&engine, at: now(1001)).map(\.seq) == Array(9...14))
        #expect(engine.finished(hanging[0].key, WebhookAnswer(status: 200), at: now(1200), jitter: 0) == .delivered)
        #expect(engine.finished(hanging[1].key, WebhookAnswer(.failure), at: now(1200), jitter: 0.5) == .parked)
        let after = try #require(engine.save(at: now(2200).monotonic)).changes
        #expect(after.count == 2 && after[hanging[0].key] == .some(nil))
        #expect(after[hanging[1].key]??.attempts == 1 && after[hanging[1].key]??.dueAt == now(6200).wall)
    }

    @Test func `what hangs does not let more be parked than may be`() {
        var engine = engine()
        for window in 0..<Int64(20) {
            let first = window * 32 + 1
            guard engine.wantsEvents else { break }
            engine.take(batch(first...(first + 31)))
            for second in 0..<Int64(6) {
                let time = now(window * 10_000 + second * 1100)
                let sent = all(&engine, at: time)
                #expect(sent.count <= WebhookEngine.freshInFlight + WebhookEngine.retriesInFlight)
                // Half of them answer.
                for delivery in sent where delivery.seq % 2 == 0 {
                    engine.finished(delivery.key, WebhookAnswer(status: 200), at: time, jitter: 0)
                }
                engine.parkUnanswered(at: time)
            }
        }
        #expect(engine.parkedCount <= WebhookEngine.freshInFlight)
    }

    @Test func `the position that is saved is before the first event that is neither delivered nor parked`() throws {
        var engine = engine()
        engine.take(batch(1...5))
        let sent = all(&engine, at: now(0))
        for index in [0, 1, 3] { engine.finished(sent[index].key, WebhookAnswer(status: 200), at: now(1), jitter: 0) }
        #expect(try #require(engine.save(at: now(1).monotonic)).position.number == 2)
        engine.finished(sent[2].key, WebhookAnswer(status: 500), at: now(1), jitter: 0)
        let save = try #require(engine.save(at: now(1).monotonic))
        #expect(save.position.number == 4 && save.changes.count == 1 && save.parked == 1)
    }

    @Test func `a delivery is sent eight times, at the times of the schedule, beside the later events`() {
        var engine = engine()
        engine.take(batch(1...1))
        var (time, waits): (Int64, [Int64]) = (0, [])
        for attempt in 1...8 {
            let sent = all(&engine, at: now(time))
            #expect(sent.map(\.attempt) == [attempt])
            let result = engine.finished(sent[0].key, WebhookAnswer(status: 500), at: now(time), jitter: 0.5)
            #expect(result == (attempt == 8 ? .failed : .parked) && engine.wantsEvents)
            if let save = engine.save(at: now(time).monotonic, isForced: true) { engine.saved(save, at: now(time).monotonic) }
            guard attempt < 8 else { break }
            let start = time
            // The first moment at which it is due, to the second.
            while engine.nextDelivery(at: now(time + 999)) == nil { time += 1000 }
            engine.finished(sent[0].key, WebhookAnswer(.unsent), at: now(time), jitter: 0)
            time += 2000
            waits.append((time - 2000 - start + 999) / 1000)
        }
        let wanted: [Int64] = [5, 30, 120, 900, 3600, 21_600, 86_400]
        for (wait, seconds) in zip(waits, wanted) { #expect(abs(wait - seconds) <= 4, "\(waits)") }
        #expect(waits.count == 7 && engine.parkedCount == 0)
    }

    @Test func `the times are spread, and Retry-After makes them longer, at most a day`() {
        #expect(RetrySchedule.delay(after: 1, asked: nil, jitter: 0) == 4000)
        #expect(RetrySchedule.delay(after: 1, asked: nil, jitter: 1) == 6000)
        #expect(RetrySchedule.delay(after: 1, asked: 90_000, jitter: 0) == 90_000)
        #expect(RetrySchedule.delay(after: 3, asked: .max, jitter: 0) == 86_400_000)
        #expect(RetrySchedule.delay(after: 7, asked: 1, jitter: 0.5) == 86_400_000)
        #expect(RetrySchedule.delay(after: 8, asked: 1, jitter: 0.5) == nil)
        for (header, asked) in [("120", 120_000), ("0", 0), ("999999999", 86_400_000)] as [(String, Int64)] {
            #expect(RetrySchedule.asked(by: header) == asked)
        }
        let (date, later) = ("Thu, 29 Feb 2024 23:59:37 GMT", "Fri, 01 Mar 2024 00:01:07 GMT")
        #expect(RetrySchedule.asked(by: later, date: date) == 90_000)
        #expect(RetrySchedule.asked(by: "Thu, 01 Jan 2026 00:00:00 GMT", date: date) == 86_400_000)
        #expect(HTTPTime.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(HTTPTime.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        for header in [nil, "", "-1", "soon", "9999999999", later, "Thu, 29 Feb 2024 24:00:00 GMT"] {
            #expect(RetrySchedule.asked(by: header) == nil)
        }
        #expect(RetrySchedule.asked(by: date, date: later) == nil, "in the past")
    }

    @Test func `an endpoint that is busy gets one at a time after a pause, until it is well again`() {
        for status in [429, 502, 504] {
            var engine = engine()
            engine.take(batch(1...8))
            let sent = all(&engine, at: now(0))
            engine.finished(sent[0].key, WebhookAnswer(status: status, retryAfter: "7"), at: now(0), jitter: 0)
            for delivery in sent[1...6] { engine.finished(delivery.key, WebhookAnswer(.unsent), at: now(0), jitter: 0) }
            #expect(all(&engine, at: now(6999)).isEmpty)
            #expect(all(&engine, at: now(7000)).isEmpty, "one is still in flight")
            engine.finished(sent[7].key, WebhookAnswer(.failure), at: now(7000), jitter: 0)
            let one = all(&engine, at: now(8000))
            #expect(one.count == 1)
            engine.finished(one[0].key, WebhookAnswer(status: 200), at: now(8000), jitter: 0)
            #expect(all(&engine, at: now(8000)).count > 1)
        }
    }

    @Test func `several that are refused together make one pause, and further ones longer pauses`() {
        var engine = engine()
        engine.take(batch(1...11))
        let busy = WebhookAnswer(status: 429)
        for delivery in all(&engine, at: now(0)) { engine.finished(delivery.key, busy, at: now(0), jitter: 1) }
        for (end, seq) in [(1000, 9), (3000, 10)] as [(Int64, Int)] {
            #expect(all(&engine, at: now(end - 1)).isEmpty)
            let one = all(&engine, at: now(end))
            #expect(one.map(\.seq) == [seq])
            for delivery in one { engine.finished(delivery.key, busy, at: now(end), jitter: 1) }
        }
    }

    @Test func `410 pauses an endpoint, and so do five days without a success`() {
        var gone = engine()
        gone.take(batch(1...2))
        let sent = all(&gone, at: now(0))
        gone.finished(sent[0].key, WebhookAnswer(status: 410), at: now(0), jitter: 0)
        #expect(gone.pauseReason == .gone && gone.nextDelivery(at: now(9000)) == nil && !gone.wantsEvents)
        let day: Int64 = 86_400_000
        var failing = engine()
        for number in 1...6 {
            failing.take(batch(Int64(number)...Int64(number)))
            for delivery in all(&failing, at: now(day * Int64(number))) where delivery.event != nil {
                failing.finished(delivery.key, WebhookAnswer(.failure), at: now(day * Int64(number)), jitter: 0)
                #expect(failing.pauseReason == (number == 6 ? .failing : nil))
            }
        }
    }

    @Test func `an endpoint whose deliveries have all failed for good is paused after five days, without another event`() {
        var engine = engine()
        engine.take(batch(1...1))
        var time: Int64 = 0
        for delay in RetrySchedule.delays + [0] {
            let sent = all(&engine, at: now(time))
            #expect(sent.count == 1)
            engine.finished(sent[0].key, WebhookAnswer(status: 500), at: now(time), jitter: 0.5)
            time += delay
        }
        let days = WebhookEngine.patienceMilliseconds
        #expect(engine.parkedCount == 0 && engine.isQuiet && time < days)
        engine.pauseIfFailing(at: now(days - 1))
        #expect(engine.pauseReason == nil)
        engine.pauseIfFailing(at: now(days))
        #expect(engine.pauseReason == .failing)
    }

    @Test func `after five days what is on its way decides, and one that has succeeded is not paused`() {
        let days = WebhookEngine.patienceMilliseconds
        var engine = WebhookEngine(at: .beginning, failingSince: begin, parked: [])
        engine.take(batch(1...1))
        let sent = all(&engine, at: now(days))
        engine.pauseIfFailing(at: now(days))
        #expect(engine.pauseReason == nil)
        engine.finished(sent[0].key, WebhookAnswer(status: 200), at: now(days + 1), jitter: 0)
        engine.pauseIfFailing(at: now(3 * days))
        #expect(engine.pauseReason == nil)
    }

    @Test func `what has failed for good is kept for thirty days after the last attempt`() throws {
        let key = DeliveryKey(number: 42, type: "item.sold")
        let failed = ParkedDelivery(
            key: key, room: room, seq: 7, hash: 1, attempts: 8, dueAt: nil, triedAt: begin, status: 500)
        let end = begin.advanced(byMilliseconds: 30 * 86_400_000)
        #expect(failed.keptUntil == end && failed.change(of: "webhook_1").expiresAt == end)
        var waiting = failed
        waiting.dueAt = begin
        #expect(waiting.keptUntil == nil && waiting.change(of: "webhook_1").expiresAt == nil)
        #expect(DeliveryKey(cursor: key.cursor) == key && key.cursor == "000000000000002a.item.sold")
        for text in ["", "2a.item.sold", "000000000000002a", "000000000000002a.", "000000000000002A.x", "000000000000002a.a b"]
        {
            #expect(DeliveryKey(cursor: text) == nil, "\(text)")
        }
        #expect(DeliveryKey(cursor: "000000000000002a." + String(repeating: "x", count: 65)) == nil)
    }

    @Test func `as many as may be parked are, and later events wait`() {
        let parked = (1...Int64(WebhookEngine.parkedLimit - 31)).map { number in
            ParkedDelivery(
                key: DeliveryKey(number: number, type: "bid.placed"), room: room, seq: Int(number), hash: 1, attempts: 1,
                dueAt: begin.advanced(byMilliseconds: number), triedAt: begin, status: 500)
        }
        var full = engine(parked: parked)
        #expect(!full.wantsEvents && full.parkedCount == parked.count)
        let due = all(&full, at: now(10))
        #expect(due.map(\.seq) == [1, 2, 3, 4] && due.map(\.attempt) == [2, 2, 2, 2], "four at a time, the earliest first")
        full.finished(due[0].key, WebhookAnswer(status: 200), at: now(10), jitter: 0)
        #expect(full.wantsEvents)
    }

    @Test func `no more than fits into one writing is changed before it is saved`() throws {
        var engine = engine()
        for window in 0..<2 {
            engine.take(batch(Int64(32 * window + 1)...Int64(32 * window + 32)))
            while case let sent = all(&engine, at: now(0)), !sent.isEmpty {
                for delivery in sent { engine.finished(delivery.key, WebhookAnswer(status: 500), at: now(0), jitter: 0) }
            }
        }
        let save = try #require(engine.save(at: now(0).monotonic))
        #expect(save.changes.count >= 32 && save.changes.count + 3 <= RecordLimits.changes)
        engine.saved(save, at: now(0).monotonic)
        #expect(!all(&engine, at: now(0)).isEmpty)
    }

    @Test func `what was delivered is saved once a second, and a position alone more rarely`() throws {
        var engine = engine()
        engine.take(batch(1...1))
        let first = all(&engine, at: now(0))
        engine.finished(first[0].key, WebhookAnswer(status: 200), at: now(0), jitter: 0)
        engine.saved(try #require(engine.save(at: now(0).monotonic)), at: now(0).monotonic)
        engine.take(batch(2...2))
        let second = all(&engine, at: now(10))
        engine.finished(second[0].key, WebhookAnswer(status: 200), at: now(10), jitter: 0)
        #expect(engine.save(at: now(999).monotonic) == nil)
        engine.saved(try #require(engine.save(at: now(1000).monotonic)), at: now(1000).monotonic)
        #expect(engine.save(at: now(4999).monotonic) == nil)
        let logged = try #require(engine.save(at: now(5000).monotonic))
        #expect(logged.log?.entries.count == 2)
        engine.saved(logged, at: now(5000).monotonic)
        engine.take(FeedBatch(next: FeedPosition(number: 9, hash: 9)))
        #expect(engine.save(at: now(14_999).monotonic) == nil)
        #expect(engine.save(at: now(15_000).monotonic)?.position.number == 9)
    }

    @Test func `the log of deliveries has the last hundred, within the bounds of a record`() throws {
        var log = DeliveryLog()
        let body = Array(repeating: UInt8(ascii: "\""), count: 9000)
        for number in 1...150 {
            let delivery = WebhookDelivery(
                key: DeliveryKey(number: Int64(number), type: "lot.added"), room: room, seq: number, hash: 1, attempt: 1,
                event: nil)
            log.add(delivery, WebhookAnswer(status: 500, body: body), at: begin)
        }
        let change = log.change(of: "webhook_1")
        let content = try #require(change.content)
        #expect(content.count <= RecordLimits.contentBytes)
        let record = StoredRecord(kind: change.kind, id: change.id, version: 1, expiresAt: nil, content: content)
        let read = DeliveryLog(record).entries
        #expect(read == log.entries.suffix(read.count) && read.count > 80 && read.last?.seq == 150)
        #expect(read.allSatisfy { $0.answer?.utf8.count == 500 })
        #expect(WebhookAnswer.shown([0x61, 0x00, 0x0A, 0xFF, 0x62]) == "a  \u{FFFD}b")
    }
}
