internal import ArgumentParser
internal import Foundation

/// `auction-bench stream`: measures deliveries to thousands of subscribers, of this server or another.
struct BenchStream: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream", abstract: "Measures what a server on this machine delivers to subscribers of one room.",
        discussion: """
            The server is started first, as Tests/Benchmarks/scripts/streams.sh does. With --rooms the first room of the file is \
            followed and talked in, and bids go to the others. With --subscribe-path and --publish-path it is a channel.
            """)

    @Option(help: "The server, as http://127.0.0.1:PORT.") var url: String
    @Option(help: "How to follow: websocket, sse or long-poll.") var transport = LoadTransport.webSocket
    @Option(help: "Subscribers, those that are stalled included.") var subscribers = 1000
    @Option(help: "Subscribers that never read.") var stalled = 0
    @Option(help: "Seconds to measure, after one to warm up.") var seconds = 5.0
    @Option(help: "Messages per second; without it the next goes out when everybody has had one.") var rate: Double?
    @Option(help: "Messages on their way at once, where there is no rate.") var inFlight = 8
    @Option(help: "Bytes of a message.") var size = 200
    @Option(help: "A line per room: its id and the tokens of two members.") var rooms: String?
    @Option(help: "Where a channel is followed.") var subscribePath: String?
    @Option(help: "Where to publish to a channel.") var publishPath: String?
    @Option(help: "The server's processes, with commas between, for their memory and processor time.") var serverPid = ""
    @Option(help: "Connections that bid meanwhile.") var bids = 0
    @Flag(help: "Publish bids in the first room instead of messages; with --rate.") var publishBids = false
    @Option(help: "Bids per second, of all connections together.") var bidRate = 500.0

    func run() throws {
        LoadSocket.raiseLimit()
        let (target, bidRooms) = try target()
        let processes = serverPid.split(separator: ",").compactMap { Int($0) }
        let before = ProcessFigures(processes)
        let load = try StreamLoad(target, subscribers: subscribers, inFlight: inFlight, rate: rate)
        let bidding = BidLoad(port: target.port, rooms: bidRooms, connections: bids, rate: bidRate)
        var (alone, meanwhile) = (BidFigures(), BidFigures())
        if bids > 0 {
            bidding.start(seconds: seconds)
            alone = try bidding.wait()
        }
        let settled = bids > 0 ? ProcessFigures(processes) : before
        try load.open(subscribers, stalled: stalled)
        let opened = ProcessFigures(processes)
        load.beginPublishing()
        try load.run(seconds: 1)
        if bids > 0 { bidding.start(seconds: seconds) }
        let (own, begun, start) = (ProcessFigures([Int(getpid())]), ProcessFigures(processes), loadClock())
        load.measure(true)
        try load.run(seconds: seconds)
        load.measure(false)
        let (ended, took) = (ProcessFigures(processes), Double(loadClock() - start) / 1e9)
        let ownSeconds = ProcessFigures([Int(getpid())]).seconds - own.seconds
        if bids > 0 { meanwhile = try bidding.wait() }
        try load.drain(seconds: 5)
        if load.refused.count > 0 {
            throw LoadFailure("\(load.refused.count) messages were refused: \(load.refused.first)")
        }
        let deliveries = Double(max(1, load.tracker.deliveries))
        var figures: [(String, Double)] = [
            ("deliveries", deliveries / took), ("p50", load.tracker.latencies.microseconds(0.5)),
            ("p90", load.tracker.latencies.microseconds(0.9)), ("p99", load.tracker.latencies.microseconds(0.99)),
            ("max", load.tracker.latencies.microseconds(1)), ("last-p50", load.tracker.lastLatencies.microseconds(0.5)),
            ("last-p99", load.tracker.lastLatencies.microseconds(0.99)),
            ("last-max", load.tracker.lastLatencies.microseconds(1)),
            ("lost", Double(load.tracker.lost)),
            ("doubled", Double(load.tracker.doubled)), ("gone", Double(load.gone)),
            ("opened-kb", Double(opened.memory - settled.memory) / Double(subscribers)),
            ("loaded-kb", Double(ended.memory - settled.memory) / Double(subscribers)),
            ("peak-kb", Double(ended.peak)), ("cpu-us", (ended.seconds - begun.seconds) * 1e6 / deliveries),
            ("cpu-share", (ended.seconds - begun.seconds) / took), ("client-share", ownSeconds / took),
        ]
        if bids > 0 {
            figures += [
                ("bids", Double(meanwhile.bids)), ("bids-refused", Double(alone.refused + meanwhile.refused)),
                ("bid-p50-alone", alone.p50), ("bid-p50", meanwhile.p50), ("bid-p99-alone", alone.p99),
                ("bid-p99", meanwhile.p99),
            ]
        }
        // One line that scripts can parse.
        print(figures.map { "\($0.0)=\(String(format: $0.1 < 100 ? "%.2f" : "%.0f", $0.1))" }.joined(separator: " "))
    }

    private func target() throws(LoadFailure) -> (StreamTarget, [BidRoom]) {
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0.prefix { $0 != "/" }) }) else {
            throw LoadFailure("--url must be http://127.0.0.1:PORT")
        }
        guard subscribers > stalled, stalled >= 0, seconds > 0, inFlight > 0, rate ?? 1 > 0, bidRate > 0, bids >= 0 else {
            throw LoadFailure("nothing to measure: see --help")
        }
        if let subscribePath, let publishPath {
            let place = StreamTarget.Place.channel(subscribePath: subscribePath, publishPath: publishPath)
            return (StreamTarget(port: port, transport: transport, place: place, size: size), [])
        }
        guard let path = rooms else { throw LoadFailure("either --rooms, or --subscribe-path and --publish-path") }
        let all = try BidRoom.read(path)
        guard let first = all.first, bids == 0 || all.count > 1 else { throw LoadFailure("\(path) has too few rooms") }
        let place: StreamTarget.Place = publishBids ? .auction(first) : .room(id: first.id, token: first.tokens[0])
        return (StreamTarget(port: port, transport: transport, place: place, size: size), Array(all.dropFirst()))
    }
}
