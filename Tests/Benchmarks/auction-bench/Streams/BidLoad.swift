internal import CScheduling
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A room, and the tokens of two users who bid in turn.
struct BidRoom: Sendable {
    let id: String
    let tokens: [String]

    /// Reads a file with a line per room: its id and the two tokens.
    static func read(_ path: String) throws(LoadFailure) -> [BidRoom] {
        guard let data = FileManager.default.contents(atPath: path) else { throw LoadFailure("cannot read \(path)") }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.count == 3 ? BidRoom(id: words[0], tokens: Array(words[1...])) : nil
        }
    }
}

/// Results of a bid load: counts, and latencies.
struct BidFigures: Sendable {
    var bids = 0
    var refused = 0
    var p50 = 0.0
    var p99 = 0.0
}

/// Bids at a steady rate on separate connections and a separate thread, so that reading thousands of streams does not distort the
/// latencies of bids.
final class BidLoad: Sendable {
    private struct State {
        var position = 0
        var figures = BidFigures()
        var failure: String?
    }

    private let port: UInt16
    private let rooms: [BidRoom]
    private let connections: Int
    private let rate: Double
    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)

    init(port: UInt16, rooms: [BidRoom], connections: Int, rate: Double) {
        self.port = port
        self.rooms = rooms
        self.connections = connections
        self.rate = rate
    }

    /// Starts bidding; `wait` returns the result.
    func start(seconds: Double) {
        let thread = Thread {
            // Lets this thread preempt the one that reads thousands of streams, which would distort latencies.
            _ = scheduling_prefer_short_turns(100_000)
            do throws(LoadFailure) {
                try self.bid(seconds: seconds)
            } catch {
                self.state.withLock { $0.failure = error.description }
            }
            self.finished.signal()
        }
        thread.start()
    }

    func wait() throws(LoadFailure) -> BidFigures {
        finished.wait()
        let (figures, failure) = state.withLock { ($0.figures, $0.failure) }
        if let failure { throw LoadFailure(failure) }
        return figures
    }

    private func bid(seconds: Double) throws(LoadFailure) {
        var poller = try LoadPoller()
        var descriptors: [Int32] = []
        var readers = [ResponseReader](repeating: ResponseReader(), count: connections)
        var dueTimes = [Int64](repeating: 0, count: connections)
        defer { for descriptor in descriptors { _ = close(descriptor) } }
        for index in 0..<connections {
            descriptors.append(try LoadSocket.open(port: port))
            poller.watch(descriptors[index], token: index)
        }
        var free = Array(0..<connections)
        var buffer = [UInt8](repeating: 0, count: 65536)
        var (figures, latencies) = (BidFigures(), LatencyHistogram())
        var position = state.withLock(\.position)
        let interval = Int64(1e9 / rate)
        var due = loadClock()
        let end = due + Int64(seconds * 1e9)
        while loadClock() < end || (free.count < connections && loadClock() < end + 2_000_000_000) {
            while due < end, due <= loadClock(), let index = free.popLast() {
                let (room, pass) = (rooms[position % rooms.count], position / rooms.count)
                position += 1
                let request = StreamTarget.post(
                    "/v1/rooms/\(room.id)/bids", room.tokens[pass % 2], "{\"amount\":\"\(pass + 1).00\"}")
                guard LoadSocket.send(request, to: descriptors[index]) else { throw LoadFailure("a bid was not taken") }
                dueTimes[index] = due
                due += interval
            }
            let wait = free.isEmpty ? 10_000_000 : max(0, min(10_000_000, due - loadClock()))
            let count = poller.wait(nanoseconds: wait)
            for event in 0..<count {
                let index = poller.token(event)
                let size = LoadSocket.receive(into: &buffer, from: descriptors[index])
                guard size != 0 else { throw LoadFailure("a bidder's connection was closed") }
                guard size > 0 else { continue }
                let bytes = buffer
                readers[index].feed(bytes.span.extracting(first: size)) { _, head in
                    latencies.record(loadClock() - dueTimes[index])
                    figures.bids += 1
                    if head.status >= 300 { figures.refused += 1 }
                    free.append(index)
                }
            }
        }
        (figures.p50, figures.p99) = (latencies.microseconds(0.5), latencies.microseconds(0.99))
        let final = (figures, position)
        state.withLock { ($0.figures, $0.position) = final }
    }
}
