internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Logging

/// Deletes archived rooms in which nothing has happened for some days, a few at a time, while the server runs.
final class RoomRetention: Sendable {
    /// Rooms of a step, …
    static let roomsPerStep = 16
    /// … and milliseconds between two steps, so that bids go on.
    private static let stepMilliseconds = 1000
    /// Nanoseconds between two searches.
    private static let searchPause: Int64 = 600_000_000_000

    /// A search that has not come to its end, and when the next one begins.
    struct Search {
        fileprivate var rule: PruningRule?
        fileprivate var pass = PruningPass()
        fileprivate var next: Int64 = .min
        fileprivate var isComplaining = false

        init() {}
    }

    private let log: any RoomPruning
    private let days: Int
    private let shared: SharedParts
    private let logger: Logger
    private let thread = PeriodicThread(name: "retention")

    /// Nil if archived rooms are kept for ever, or the log cannot delete them.
    init?(_ shared: SharedParts, logger: Logger) {
        guard shared.options.service.archivedDays > 0, let log = shared.service.log as? any RoomPruning else { return nil }
        (self.log, self.shared, self.logger) = (log, shared, logger)
        days = shared.options.service.archivedDays
    }

    func start() {
        thread.start { [self] in
            PeriodicThread.yieldToOthers()
            var search = Search()
            while thread.pause(milliseconds: Self.stepMilliseconds) { takeTurn(&search) }
        }
    }

    func stop() { _ = thread.stop() }

    /// Takes the next step of a search, if there is something to do.
    private func takeTurn(_ search: inout Search) {
        let now = shared.clock.now().monotonic
        guard search.rule != nil || now >= search.next else { return }
        do throws(EventLogError) {
            try step(&search)
            search.isComplaining = false
        } catch {
            if !search.isComplaining {
                logger.warning("old rooms cannot be deleted", metadata: ["reason": "\(error)"])
            }
            search.isComplaining = true
            (search.rule, search.pass) = (nil, PruningPass())
            search.next = now + Self.searchPause
        }
        guard search.pass.isAtEnd else { return }
        mention(search.pass.result)
        (search.rule, search.pass) = (nil, PruningPass())
        search.next = now + Self.searchPause
    }

    private func step(_ search: inout Search) throws(EventLogError) {
        // What readers have got, and which there are, is read again for each step.
        let rule = try PruningRule(
            days: days, at: shared.clock.now().wall, log, voiceIsOn: shared.operators.voice != nil)
        search.rule = rule
        let rooms = try search.pass.step(rule, on: log, limit: Self.roomsPerStep)
        guard !rooms.isEmpty else { return }
        shared.service.pruned(rooms)
        shared.metrics.service.pruned(rooms.count)
    }

    private func mention(_ result: PrunedRooms) {
        guard result.rooms > 0 else { return }
        logger.notice(
            "old archived rooms were deleted",
            metadata: [
                "rooms": "\(result.rooms)", "events": "\(result.events)", "unread": "\(result.unread)",
                "damaged": "\(result.damaged)",
            ])
    }
}
