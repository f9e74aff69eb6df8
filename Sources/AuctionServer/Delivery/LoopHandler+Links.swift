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
    /// The rooms of the page that are to be linked.
    fileprivate var rooms: ArraySlice<RoomRow> = []
    /// Where the next page begins; nil if none follows.
    fileprivate var next: Int64?
    /// The parts of the response so far, as JSON.
    fileprivate var linked: [[UInt8]] = []
    fileprivate var skipped: [(room: RoomRow, reason: [UInt8])] = []

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
    /// Rooms of a page that get the command, and may have to be loaded for it. A page that has more ends before the next one.
    static let linkedRoomLimit = 8

    /// Reads a page of the guest's rooms and links them. The whole call counts as one command of the user, who may have one in progress.
    func begin(_ link: PendingLink, after cursor: Int64?, limit: Int) throws(Problem) {
        try shared.limits.links.enter(link.user.id)
        let query = UserRoomQuery(user: link.guest.id, .linkable, after: cursor, limit: limit)
        let (guest, user) = (link.guest.id, link.user.id)
        do throws(Problem) {
            try wait(link.context) { (finish) throws(Problem) in
                let isTaken = shared.service.read(for: link.user.id.description) { log in
                    Result { () throws(EventLogError) in
                        // The first page moves all blocks, so a repeat finds none.
                        if cursor == nil { try log.moveBlocks(from: guest, to: user) }
                        return try log.rooms(query)
                    }
                } then: { page in
                    finish(page)
                }
                guard isTaken else { throw .tooManyReads }
            } then: { [unowned self] (page: Result<UserRoomPage, EventLogError>) in
                found(page, for: link)
            }
        } catch {
            ended(link)
            throw error
        }
    }

    private func found(_ page: Result<UserRoomPage, EventLogError>, for link: PendingLink) {
        switch page {
        case .success(let page):
            take(page, for: link)
            proceed(with: link)
        case .failure(let error): fail(link, Problem(reading: error))
        }
    }

    /// Divides a page into rooms in a round, which are skipped without loading them, and those that get the command.
    private func take(_ page: UserRoomPage, for link: PendingLink) {
        link.next = page.next
        var last: Int64?
        for row in page.rows.map(\.room) {
            let state = RoomState(rawValue: row.status.state)
            if shared.rulebook.states[state]?.isRound == true {
                link.skipped.append(
                    (row, Problem(.linkInRound(state, shared.rulebook.states)).json(link.context.problemContext)))
            } else if link.rooms.count == Self.linkedRoomLimit {
                link.next = last
                return
            } else {
                link.rooms.append(row)
            }
            last = row.position
        }
    }

    /// Submits the command for the next room, or responds if there is none. Stops if the client has disconnected.
    private func proceed(with link: PendingLink) {
        guard loop.exchange(link.context.exchange.id) != nil else { return ended(link) }
        guard let row = link.rooms.first else { return finish(link, link.response) }
        do throws(Problem) {
            try commands.submit(.linkGuest(link.guest), of: row.room, as: link)
        } catch {
            fail(link, error)
        }
    }

    /// Takes the response to the command for one room: linked, skipped with its reason, or nothing to do. If the service is unavailable,
    /// the call ends: the client repeats it. A room that cannot be read or written is skipped, since it must not block the others.
    func answered(_ response: CommandResponse, for link: PendingLink) {
        guard let row = link.rooms.popFirst() else { return ended(link) }
        switch response.status {
        case 200: link.linked.append(response.body)
        case 204: break
        case 503: return finish(link, Response(response))
        default: link.skipped.append((row, response.body))
        }
        proceed(with: link)
    }

    private func finish(_ link: PendingLink, _ response: Response) {
        ended(link)
        finish(link.context.exchange.id, response, link.context.requestID)
    }

    private func fail(_ link: PendingLink, _ problem: Problem) {
        ended(link)
        proceed(link.context) { () throws(Problem) in throw problem }
    }

    /// The user may begin another link.
    private func ended(_ link: PendingLink) { shared.limits.links.leave(link.user.id) }
}
