internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP

/// Somebody who follows a room by a stream of this loop.
final class StreamSubscriber {
    let id: LiveFeed.ID
    let sink: any StreamSink
    let transport: StreamTransport
    let place: StreamBudget.Place
    /// For presence; knows the room, and the token that was shown.
    let watch: HeldPoll
    /// Of a WebSocket.
    let commands: SocketCommands?
    /// Was sent a page, and is sent the next once this one is taken.
    var isTakingPage = false

    init(
        id: LiveFeed.ID, sink: any StreamSink, transport: StreamTransport, place: StreamBudget.Place, watch: HeldPoll,
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

    /// Whether the room may be seen by this subscriber as it stands.
    func maySee(_ room: Room) -> Bool { room.isVisible(to: watch.user) }
}
