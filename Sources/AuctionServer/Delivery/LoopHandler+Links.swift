internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// A guest's rooms that are being linked to a user, one after the other: each is an own command, durable before the next begins.
///
/// A class, because each command's pending entry carries it. Used on one loop's thread only.
final class PendingLink {
    let context: RequestContext
    let user: Person
    let guest: Person
    /// The rooms of the page that are not linked yet.
    var rooms: ArraySlice<UserRoomRow> = []
    /// Position of the page's last room; nil if no page follows.
    var next: Int64?
    /// The parts of the response so far, as JSON.
    var linked: [[UInt8]] = []
    var skipped: [(room: RoomRow, reason: [UInt8])] = []

    init(_ context: RequestContext, user: Person, guest: Person) {
        self.context = context
        self.user = user
        self.guest = guest
    }

    /// The response once all rooms of the page are done.
    var response: Response {
        var json = JSONWriter(reserving: 512 * (linked.count + skipped.count + 1))
        json.object { json in
            json.member("user", user)
            json.member("linked", array: { array in for part in linked { array.raw(part) } })
            json.member(
                "skipped",
                array: { array in
                    for (room, reason) in skipped {
                        array.object { json in
                            json.member("room", id: room.room, name: room.profile.name)
                            json.name("reason")
                            json.raw(reason)
                        }
                    }
                })
            json.member("nextCursor", next.map { String($0) })
        }
        return .json(json.bytes)
    }
}

// Links a guest's rooms to a user of the identity provider. A crash between two rooms leaves the rest to the client's next call.
extension LoopHandler {
    /// Reads a page of the guest's rooms and links them. The whole call counts as one command of the user.
    func begin(_ link: PendingLink, after cursor: Int64?, limit: Int) throws(Problem) {
        let query = UserRoomQuery(user: link.guest.id, .linkable, after: cursor, limit: limit)
        let (id, registry, index) = (link.context.exchange.id, shared.registry, loop.index)
        pendingLinks[id] = link
        let isTaken = shared.service.read(for: "\(link.user.id) link", atMost: 1) { log in
            Result { () throws(EventLogError) in try log.rooms(query) }
        } then: { page in
            registry.post(to: index) { handler in
                handler.found(page, for: id)
                handler.turnEnded()
            }
        }
        guard !isTaken else { return }
        pendingLinks[id] = nil
        throw .tooManyReads
    }

    private func found(_ page: Result<UserRoomPage, EventLogError>, for id: ExchangeID) {
        guard let link = pendingLinks.removeValue(forKey: id) else { return }
        switch page {
        case .success(let page):
            link.rooms = page.rows[...]
            link.next = page.next
            proceed(with: link)
        case .failure(let error): finish(link, Problem(reading: error).response(problemContext(of: link)))
        }
    }

    /// Submits the command for the next room, or responds if there is none. Stops if the client has disconnected.
    private func proceed(with link: PendingLink) {
        guard loop.exchange(link.context.exchange.id) != nil else { return }
        guard let row = link.rooms.first else { return finish(link, link.response) }
        do throws(Problem) {
            try submit(.linkGuest(link.guest), of: row.room.room, as: link)
        } catch {
            finish(link, error.response(problemContext(of: link)))
        }
    }

    /// Takes the response to the command for one room: linked, skipped with its reason, or nothing to do. A failure of the service ends
    /// the call: the client repeats it.
    func answered(_ response: CommandResponse, for link: PendingLink) {
        guard let row = link.rooms.popFirst() else { return }
        switch response.status {
        case 200: link.linked.append(response.body)
        case 204: break
        case 400..<500: link.skipped.append((row.room, response.body))
        default: return finish(link, Response(response))
        }
        proceed(with: link)
    }

    private func finish(_ link: PendingLink, _ response: Response) {
        finish(link.context.exchange.id, response, link.context.requestID)
    }

    private func problemContext(of link: PendingLink) -> ProblemContext {
        ProblemContext(
            language: link.context.language, instance: link.context.exchange.path, requestID: link.context.requestID)
    }
}
