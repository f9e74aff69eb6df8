internal import ArgumentParser
internal import AuctionClientCore
internal import FoundationEssentials
internal import Glibc

/// `auction-room watch`: follows a room in the terminal.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follows a room: a live view on a terminal, a line for each event elsewhere.",
        discussion: """
            A terminal has colours, unless NO_COLOR is set. It goes on where it was after the network or the server was away, without losing or repeating an event, and ends when the \
            room is archived. Exit codes: 0 then, 1 if the room cannot be followed.
            """)

    @Argument(help: "The room's id, such as room_3pype17b8wec585enw02ex8qa0.")
    var room: String

    @OptionGroup var options: TerminalOptions

    @Flag(help: "An event a line, as JSON.")
    var json = false

    @Flag(help: "An event a line, also on a terminal.")
    var plain = false

    @Option(help: "Begin after this event; 0: with the first. By default, with what happens next.")
    var after: Int64?

    func run() throws {
        let client = options.client()
        let room = client.room(room)
        let style: WatchStyle = json ? .json : plain || isatty(STDOUT_FILENO) == 0 ? .lines : .screen
        let start = after.map { FollowStart.after(max(0, $0)) }
        let base = options.url.defaultValueDescription
        let hints = [
            "to bid: \(CommandLine.arguments[0]) bid \(room.id) - --url \(base) --nickname You (- is the next minimum)",
            "on a page: \(base)/#/rooms/\(room.id); Ctrl-C ends",
        ]
        try failing { try runBlocking { try await Self.follow(room, client, from: start, style, hints) } }
    }

    /// Shows a room until it is archived.
    static func follow(
        _ room: AuctionRoom, _ client: AuctionClient, from start: FollowStart?, _ style: WatchStyle, _ hints: [String]
    ) async throws {
        let live = room.follow(from: try await Self.start(room, start, style))
        var totals = SaleTotals(room)
        guard style == .screen else {
            let notes = Task { await report(live) }
            defer { notes.cancel() }
            for try await update in live.updates {
                guard let event = update.event else { continue }
                let text = style == .json ? event.json : event.line(total: await totals.total(of: update))
                write(text + "\n")
            }
            return
        }
        let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let screen = Screen(live, client, hints: hints, hasColours: !isPlain)
        // The countdown moves between events too.
        let ticks = Task {
            while !Task.isCancelled {
                await screen.draw()
                try await Task.sleep(for: .milliseconds(250))
            }
        }
        defer { ticks.cancel() }
        for try await update in live.updates {
            await screen.show(update, total: await totals.total(of: update))
            await screen.draw()
        }
    }

    /// Where following begins: as given, else the last 24 events for a screen, and the present for lines.
    private static func start(
        _ room: AuctionRoom, _ given: FollowStart?, _ style: WatchStyle
    ) async throws(AuctionError) -> FollowStart {
        if let given { return given }
        return style == .screen ? .after(max(0, try await room.read().seq - 24)) : .now
    }

    /// Says on standard error when the connection is lost and when it is back.
    private static func report(_ live: LiveRoom) async {
        var wasLost = false
        for await status in live.statuses {
            if case .waiting = status.state {
                if !wasLost { complain("\(status.state)".printable) }
                wasLost = true
            } else if status.isLive, wasLost {
                complain("connected again")
                wasLost = false
            }
        }
    }

    static func write(_ text: String) { StandardStreams.output(Array(text.utf8)) }
}

enum WatchStyle {
    case screen
    case lines
    case json
}
