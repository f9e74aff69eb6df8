internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// A client that is subscribed to a room through a stream of this loop.
final class StreamSubscriber {
    let id: Subscriptions.ID
    let sink: any StreamSink
    let transport: StreamTransport
    let place: StreamBudget.Place
    let room: CommittedRoom
    /// Commands of a WebSocket; nil for other transports.
    let commands: SocketCommands?
    /// Whether a page is being written; the next one follows once the sink is drained.
    var isPageInFlight = false

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
}
