import Testing

@testable import WebSocketFrames

struct SessionTests {
    private func session() -> WebSocketSession { WebSocketSession(options: .init(), now: 0) }

    private func receive(_ session: inout WebSocketSession, _ frame: ClientFrame, at now: UInt64 = 0) -> [WebSocketSession
        .Action]
    {
        session.receive(frame.bytes.span, now: now)
    }

    @Test func `a ping gets a pong with the same payload`() {
        var session = session()
        #expect(receive(&session, ClientFrame(opcode: 9, payload: [1, 2])) == [.send([0x8A, 2, 1, 2])])
        #expect(receive(&session, ClientFrame(opcode: 10)) == [])
    }

    @Test func `the peer's close frame gets a reply with the same code, and ends the session`() {
        var session = session()
        #expect(receive(&session, .close(3000, "done")) == [.sendClose([0x88, 2, 0x0B, 0xB8]), .finish])
        #expect(receive(&session, .text("late")) == [])
        #expect(session.close(CloseStatus(.normal), now: 0) == [])
    }

    @Test func `the server's close waits for the peer's close frame, which gets no further reply`() {
        var session = session()
        #expect(session.close(CloseStatus(.goingAway), now: 0) == [.sendClose([0x88, 2, 0x03, 0xE9])])
        #expect(session.close(CloseStatus(.normal), now: 0) == [])
        #expect(receive(&session, .text("on its way already")) == [])
        #expect(receive(&session, .close(1001)) == [.finish])
    }

    @Test func `a peer that does not reply to a close frame is cut off`() {
        var session = session()
        _ = session.close(CloseStatus(.goingAway), now: 100)
        #expect(session.tick(now: 5000) == [])
        #expect(session.tick(now: 5100) == [.abort])
        #expect(session.deadline == .max)
    }

    @Test func `an idle peer is pinged, and cut off if it does not reply`() {
        var session = session()
        #expect(session.tick(now: 24_999) == [])
        #expect(session.tick(now: 25_000) == [.send([0x89, 0])])
        #expect(receive(&session, ClientFrame(opcode: 10), at: 26_000) == [])
        #expect(session.deadline == 51_000)
        #expect(session.tick(now: 51_000) == [.send([0x89, 0])])
        #expect(session.tick(now: 71_000) == [.abort])
    }

    @Test func `frames beyond those of a turn wait, and are processed in order`() {
        var options = WebSocketSession.Options()
        options.eventsPerTurn = 3
        var session = WebSocketSession(options: options, now: 0)
        let frames = (0..<8).flatMap { ClientFrame.text("\($0)").bytes }
        var actions = session.receive(frames.span, now: 0)
        #expect(actions.count == 3 && session.hasUnread)
        #expect(receive(&session, .text("8")) == [], "behind those that wait")
        while session.hasUnread {
            let next = session.proceed()
            #expect((1...3).contains(next.count))
            actions += next
        }
        let texts = (0...8).map { WebSocketSession.Action.deliver(Message(kind: .text, bytes: Array("\($0)".utf8))) }
        #expect(actions == texts)
        let last = receive(&session, .text("9"))
        #expect(last.count == 1 && !session.hasUnread)
    }

    @Test func `nothing waits behind a close frame`() {
        var options = WebSocketSession.Options()
        options.eventsPerTurn = 2
        var session = WebSocketSession(options: options, now: 0)
        let frames = ClientFrame.text("last").bytes + ClientFrame.close(1000).bytes + ClientFrame.text("late").bytes
        let actions = session.receive(frames.span, now: 0)
        #expect(actions.count == 3 && !session.hasUnread)
        #expect(session.proceed() == [])
    }

    @Test func `the bytes that a frame still needs are known once its head is read`() {
        var session = session()
        let frame = ClientFrame(opcode: 2, payload: Array(repeating: 7, count: 5000)).bytes
        #expect(session.expectedBytes == 0)
        let first = session.receive(frame.span.extracting(..<100), now: 0)
        #expect(first == [] && session.expectedBytes == frame.count - 100)
        let rest = session.receive(frame.span.extracting(100...), now: 0)
        #expect(rest.count == 1 && session.expectedBytes == 0)
    }

    @Test func `a violation sends its close code and ends the session at once`() {
        var session = session()
        let close = ServerFrame.close(CloseStatus(.protocolError, "The opcode is unknown."))
        #expect(receive(&session, ClientFrame(opcode: 3)) == [.sendClose(close), .finish])
    }
}

struct ServerFrameTests {
    @Test func `lengths have their shortest form, and frames are not masked`() {
        #expect(ServerFrame.text(Array("Hello".utf8)) == [0x81, 5, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        func binary(_ count: Int) -> [UInt8] {
            ServerFrame.message(Message(kind: .binary, bytes: Array(repeating: 0, count: count)))
        }
        #expect(binary(256).prefix(4) == [0x82, 126, 1, 0])
        #expect(binary(65536).prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
        var frames: [UInt8] = []
        ServerFrame.append(text: [65], to: &frames)
        ServerFrame.append(text: [66], to: &frames)
        #expect(frames == [0x81, 1, 65, 0x81, 1, 66])
    }

    @Test func `a reason that is too long is truncated between characters`() {
        let frame = ServerFrame.close(CloseStatus(.policyViolation, String(repeating: "茶", count: 50)))
        #expect(frame.count == 2 + 2 + 41 * 3)
        #expect(ServerFrame.close(CloseStatus(CloseCode(rawValue: 1005))) == [0x88, 0])
    }
}
