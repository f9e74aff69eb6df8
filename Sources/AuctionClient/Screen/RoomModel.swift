public import AuctionClientCore
public import Foundation

#if canImport(Combine)
    public import Combine
#endif
#if canImport(Observation)
    public import Observation
#endif

/// The model of a bidding screen, ready for a view: it follows a room, bids, and has one value to show.
///
/// SwiftUI observes it both ways: as an `ObservableObject` (`@StateObject`, `@ObservedObject`), and from iOS 17 and macOS 14 on as
/// `Observable` (`@State`, or a plain property).
@MainActor
public final class RoomModel {
    /// The client of the app.
    public let client: AuctionClient
    /// The room.
    public let room: AuctionRoom
    /// How amounts are read and written.
    public let locale: Locale
    private let live: LiveRoom
    private var latest: RoomState?
    private var isOnline = true
    /// Whether the caller has lost a bid since it was read for which item they have one.
    private var isBidRetracted = false
    private var earlier = EarlierRun()
    private var shown = RoomScreen()
    #if canImport(Combine)
        // Combine tells a view before a published property changes; the screen itself is not one, as both ways of observation share it.
        @Published private var changes = 0
    #endif
    #if canImport(Observation)
        /// An `ObservationRegistrar`; nil on a system without it.
        private let registrar: (any Sendable)? = {
            if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) { ObservationRegistrar() } else { nil }
        }()
    #endif

    /// What an earlier run of the app has left.
    private struct EarlierRun {
        /// Whether a bid has been looked for; before that no bid is placed, as it could be the same one again.
        var isTaken = false
        /// What was shown when a bid was first looked for: another item may be up once the caller is known.
        var shown: (round: Int, item: String)?
        /// A bid for that item, if another one is up since; it holds up no bid.
        var overtakenBid: PendingCommand?
    }

    /// The model of a room of the client; nothing is sent before `run()`.
    public init(client: AuctionClient, room id: String, locale: Locale = .current) {
        self.client = client
        self.locale = locale
        room = client.room(id)
        live = room.follow()
    }

    /// What the screen shows.
    public private(set) var screen: RoomScreen {
        get {
            #if canImport(Observation)
                if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
                    (registrar as? ObservationRegistrar)?.access(self, keyPath: \.screen)
                }
            #endif
            return shown
        }
        set {
            guard newValue != shown else { return }
            #if canImport(Combine)
                changes += 1
            #endif
            #if canImport(Observation)
                if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
                    let registrar = registrar as? ObservationRegistrar
                {
                    return registrar.withMutation(of: self, keyPath: \.screen) { shown = newValue }
                }
            #endif
            shown = newValue
        }
    }

    // MARK: - Following

    /// Follows the room until the task is cancelled, as SwiftUI does when the view goes, or the room is archived.
    public func run() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        async let connection: Void = watchConnection(signal)
        async let caller: Void = findCaller()
        async let questions: Void = ask(at: signals)
        signal.yield()
        await follow(signal)
        signal.finish()
        _ = await (connection, caller, questions)
    }

    private func follow(_ signal: AsyncStream<Void>.Continuation) async {
        do {
            for try await update in live.updates {
                let isFirst = latest == nil
                latest = update.state
                isBidRetracted = screen.show(update) || isBidRetracted
                if isFirst || isBidRetracted { signal.yield() }
            }
        } catch {
            // The status of the connection says why.
        }
    }

    private func watchConnection(_ signal: AsyncStream<Void>.Continuation) async {
        for await status in live.statuses {
            screen.show(status.state, isOnline: isOnline)
            if status.isLive { signal.yield() }
        }
    }

    /// Asks what the updates do not tell. It is a task of its own, so that the room and the connection are shown meanwhile.
    private func ask(at signals: AsyncStream<Void>) async {
        for await _ in signals where latest != nil {
            // Where it fails, the next signal or bid tries again, and the bid says why.
            try? await takeStored()
            if screen.link == .live { await askAgain() }
            await askAboutOvertaken()
            if isBidRetracted {
                isBidRetracted = false
                await findBid()
            }
        }
    }

    /// Takes a bid whose outcome an earlier run of the app did not learn, if it is the caller's, and for the item that is shown or was when
    /// this was first called.
    private func takeStored() async throws(AuctionError) {
        guard !earlier.isTaken else { return }
        if earlier.shown == nil, let item = screen.item { earlier.shown = (screen.round, item) }
        let stored: [PendingCommand]
        do { stored = try await client.storedCommands() } catch { throw .failed(.notStored(String(describing: error))) }
        let bids = stored.filter { $0.kind == .placeBid && $0.room == room.id }
        let subject = bids.isEmpty ? nil : try await client.subject()
        // Once they are taken, the store may have bids of this run.
        guard !earlier.isTaken, let item = screen.item else { return }
        earlier.isTaken = true
        func bid(_ round: Int, _ item: String) -> PendingCommand? {
            bids.last { $0.subject == subject && $0.round == round && $0.item == item }
        }
        if let bid = bid(screen.round, item) {
            (screen.bidInDoubt, screen.notice) = (bid, .inDoubt)
        } else if let shown = earlier.shown {
            earlier.overtakenBid = bid(shown.round, shown.item)
        }
    }

    /// Finds out what became of a bid of an earlier run for the item before.
    private func askAboutOvertaken() async {
        guard let command = earlier.overtakenBid else { return }
        earlier.overtakenBid = nil
        screen.show(earlier: await room.resendBid(command))
    }

    /// Who the caller is, and their bid of before.
    private func findCaller() async {
        // Without a token there is no caller.
        guard let account = try? await client.me() else { return }
        screen.caller = account.user.id
        await findBid()
    }

    /// Finds the item that the caller has bid on in this room.
    private func findBid() async {
        do {
            for try await bid in client.myBids() where bid.roomId == room.id {
                screen.bidItem = bid.itemId
                break
            }
        } catch {
            // The next bid shows how the caller stands.
        }
        if let latest { screen.show(latest) }
    }

    /// What is left of the countdown by the server's clock, whatever the device's says; call it as often as the screen is drawn.
    public func remaining() -> Duration? { screen.endsAt.flatMap { client.remaining(until: $0) } }

    /// The phase to show now: `closing` between the deadline and the record of the close.
    public func shownPhase() -> RoomPhase? {
        guard let latest, let now = client.serverTime?.time else { return screen.phase }
        return latest.shownPhase(at: now)
    }

    // MARK: - Bidding

    /// Bids what a person typed.
    public func bid(_ typed: String) async {
        guard let currency = screen.currency else { return }
        do throws(MoneyError) {
            await bid(try Money(typed: typed, currency: currency, locale: locale))
        } catch {
            screen.notice = .notAnAmount(typed)
        }
    }

    /// Bids for the item that the screen shows, and for no other. While it is not known whether an earlier bid was placed, that one is asked
    /// about instead; so it is where an earlier run of the app has left one in doubt, which is looked for before the first bid.
    public func bid(_ amount: Money, maximum: Money? = nil) async {
        guard screen.bidInDoubt == nil else { return await askAgain() }
        guard !screen.isBidding, latest != nil else { return }
        screen.isBidding = true
        let (round, item) = (screen.round, screen.item)
        do throws(AuctionError) { try await takeStored() } catch {
            screen.isBidding = false
            screen.notice = .notSent(error.failure)
            return
        }
        // Meanwhile a bid in doubt may have been found, or another item have come up.
        guard earlier.isTaken, screen.bidInDoubt == nil, round == screen.round, item == screen.item else {
            screen.isBidding = false
            return await askAgain()
        }
        let outcome = await room.placeBid(amount, maximum: maximum, round: round, item: item)
        await show(outcome, round: round, item: item)
        await askAboutOvertaken()
    }

    /// Finds out what became of the bid in doubt.
    public func askAgain() async {
        guard let command = screen.bidInDoubt, !screen.isBidding else { return }
        screen.isBidding = true
        let outcome = await room.resendBid(command)
        await show(outcome, round: command.round, item: command.item)
    }

    private func show(_ outcome: BidOutcome, round: Int?, item: String?) async {
        if screen.mayHaveLost(outcome) { await findBid() }
        screen.isBidding = false
        screen.show(outcome, round: round, item: item, in: latest)
    }

    // MARK: - The device

    /// The app comes to the foreground, or leaves it: a paused room has no connection, and delivers afterwards what was missed.
    public func setActive(_ isActive: Bool) {
        if isActive { live.resume() } else { live.pause() }
    }

    /// The device has a network, or none; `watchNetwork()` calls it where the system tells.
    public func networkChanged(isOnline: Bool) {
        self.isOnline = isOnline
        if isOnline { live.networkReturned() }
        screen.show(live.status.state, isOnline: isOnline)
    }
}

#if canImport(Combine)
    extension RoomModel: ObservableObject {}
#endif
#if canImport(Observation)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension RoomModel: Observable {}
#endif
