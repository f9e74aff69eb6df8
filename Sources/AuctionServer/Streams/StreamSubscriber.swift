internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions
internal import Synchronization

/// A client that is subscribed to a room through a stream of this loop.
final class StreamSubscriber {
    let id: Subscriptions.ID
    let sink: any StreamSink
    let transport: StreamTransport
    let place: StreamBudget.Place
    let room: CommittedRoom
    /// Commands of a WebSocket; nil for other transports.
    let commands: SocketCommands?
    private var isPageInFlight = false
    /// Set once it has left, for the threads that read the log.
    let hasLeft = Flag()

    /// A flag that one thread sets and others read.
    final class Flag: Sendable {
        private let value = Atomic<Bool>(false)

        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    init(
        id: Subscriptions.ID, sink: any StreamSink, transport: StreamTransport, place: StreamBudget.Place,
        visible: VisibleRoom, commands: SocketCommands?
    ) {
        self.id = id
        self.sink = sink
        self.transport = transport
        self.place = place
        room = visible.committed
        self.commands = commands
    }

    /// A page is being written; the next one follows once the sink is drained.
    func pageBegan() { isPageInFlight = true }

    /// Whether the sink was drained of a page.
    func pageDrained() -> Bool {
        defer { isPageInFlight = false }
        return isPageInFlight
    }
}
