import AuctionDomain
import OutboundHTTP
import TestSupport
import Testing

@testable import AuctionServer

/// What counts as success, and for how long it is waited.
struct WebhookTransportTests {
    private static let local = AddressPolicy.publicAddresses(except: ["127.0.0.0/8"].compactMap { AddressException($0) })

    /// - Returns: The answer, and how long the transport took for it.
    private func answer(of server: ScriptedServer, within limit: Duration) async -> (WebhookAnswer, Duration) {
        let transport = OutboundWebhookTransport(Self.local, endpoints: 1, answerTime: limit)
        defer { transport.stop() }
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        let webhook = Webhook(
            id: "webhook_1", url: "http://127.0.0.1:\(server.port)/", filter: FeedFilter(), description: nil, createdAt: now,
            secrets: WebhookSecrets([1]), pause: nil)
        let request = WebhookRequest(.test("msg_1", of: webhook, at: now), to: webhook, at: 0, keys: [[1]])
        return await withCheckedContinuation { continuation in
            let start = ContinuousClock.now
            transport.send(request) { continuation.resume(returning: ($0, start.duration(to: .now))) }
        }
    }

    @Test func `an answer has fifteen seconds`() {
        let limits = OutboundWebhookTransport(Self.local, endpoints: 20).limits
        #expect(limits.totalTime == .seconds(15) && limits.connectTime <= limits.totalTime)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx"])
    func `an answer that is not complete in time is a failure`(begun: String) async throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send(begun)
            // Until the sender has had enough.
            _ = try socket.readRequest()
        }
        defer { server.stop() }
        let (answer, duration) = await answer(of: server, within: .milliseconds(200))
        #expect(duration < .seconds(12), "by this limit, not by that of other requests")
        #expect(answer.kind == .failure && !answer.isSuccess && answer.status == nil)
        #expect(answer.error == "No complete response in time")
        #expect((200...12_000).contains(answer.milliseconds), "how long it was waited for")
    }

    @Test(arguments: [200, 500])
    func `a body without end is read no further than is kept, and the status decides`(status: Int) async throws {
        let server = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 \(status) Whatever\r\n\r\n")
            while socket.send([UInt8](repeating: 0x78, count: 4096)) {}
        }
        defer { server.stop() }
        let (answer, _) = await answer(of: server, within: .seconds(15))
        #expect(answer.status == status && answer.isSuccess == (status == 200))
        #expect(answer.text?.utf8.count == (status == 200 ? nil : WebhookAnswer.keptBytes))
    }
}
