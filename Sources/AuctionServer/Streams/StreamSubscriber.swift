internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP

/// A client that is subscribed to a room through a stream of this loop.
final class StreamSubscriber {
    let id: RoomStreams.ID
    let sink: any StreamSink
    let transport: StreamTransport
    let place: StreamBudget.Place
    /// The room and the caller, for presence and access checks.
    let watch: WaitingPoll
    /// Commands of a WebSocket; nil for other transports.
    let commands: SocketCommands?
    /// Whether a page is being written; the next one follows once the sink is drained.
    var isPageInFlight = false

    init(
        id: RoomStreams.ID, sink: any StreamSink, transport: StreamTransport, place: StreamBudget.Place, watch: WaitingPoll,
        commands: SocketCommands?
    ) {
        self.id = id
        self.sink = sink
        self.transport = transport
        self.place = place
        self.watch = watch
        self.commands = commands
    }

    var room: CommittedRoom { watch.room }
}
