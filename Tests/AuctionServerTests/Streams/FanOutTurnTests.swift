import AuctionServer
import MicroHTTP
import Testing

/// Broadcasts by turns of the loop.
struct FanOutTurnTests {
    /// Takes what the streams have received, and returns the number of those that have received something.
    private func read(_ streams: [DetachedStream], into received: inout [[UInt8]]) -> Int {
        var count = 0
        for (index, stream) in streams.enumerated() {
            let bytes = stream.take()
            if !bytes.isEmpty { count += 1 }
            received[index] += bytes
        }
        return count
    }

    /// The `id` fields of server-sent events.
    private func ids(_ bytes: [UInt8]) -> [Int] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.hasPrefix("id: ") ? Int(line.dropFirst(4)) : nil
        }
    }

    @Test func `a turn sends a slice, however many more events are published than can be sent, and each arrives once`() throws {
        let room = try SteppedRoom()
        let streams = try (0..<100).map { _ in try room.openStream() }
        var received = [[UInt8]](repeating: [], count: streams.count)
        var most = 0
        let messages = 1400
        // One publication a turn for a hundred streams, of which a turn serves sixteen: more than a thousand of them would be queued.
        for number in 0..<messages {
            room.send("POST", "/messages", "{\"text\":\"\(number)\"}")
            _ = room.server.step()
            most = max(most, read(streams, into: &received))
        }
        while room.server.step() { most = max(most, read(streams, into: &received)) }
        _ = read(streams, into: &received)
        #expect(most <= 2 * 16, "of a hundred streams \(most) were served in one turn")
        let seqs = ids(received[0])
        let first = try #require(seqs.first)
        #expect(seqs == Array(first..<first + messages))
        #expect(received.allSatisfy { $0 == received[0] })
    }
}
