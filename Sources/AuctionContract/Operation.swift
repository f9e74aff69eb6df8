package import AuctionDomain

/// One operation of the API, said once: what its route, its frame over WebSocket, the contract and the tests of it need to know.
///
/// What follows from method, access and flags is left out here; `PathsDocument` adds it to the contract.
package struct Operation: Sendable {
    /// An HTTP method; its raw value is the one of the request line.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Who may call an operation.
    package enum Access: Hashable, Sendable {
        /// Tokens are ignored.
        case anonymous
        /// A token is verified if there is one.
        case optional
        case required
        /// For the server's operator; other callers get 404 as for an unknown path.
        case `operator`
        /// For programs with a service token of this scope; other callers get 404 as for an unknown path.
        case service(ServiceScope)
    }

    /// The `operationId`, the type of the frame, and the name of the method in the JavaScript client.
    package let name: String
    /// HEAD is answered as GET.
    package let method: Method
    /// Such as `/v1/rooms/{id}/bids`.
    package let path: String
    /// Who may call it.
    package let access: Access
    /// The heading under which it is listed.
    package let tag: String
    /// A few words, for lists.
    package let summary: String
    package let description: String?
    /// The permission actions that it needs, if they have other names than the operation.
    package let needs: [RoomAction]
    /// Whether an Idempotency-Key makes a repeat harmless.
    package let takesKey: Bool
    /// Whether a ticket in the query may replace the token.
    package let takesTicket: Bool
    /// Whether the room may be hidden from the caller: joining with an invite code.
    package let opensHidden: Bool
    /// Whether every response, including errors, has a receipt: the time of receipt and the room's state.
    package let givesReceipt: Bool
    /// Whether a successful response says how many more requests the caller has.
    package let saysWhatIsLeft: Bool
    /// Whether only servers with an RTC service have it; on others its path is unknown.
    package let needsVoice: Bool
    /// Those of its own; parameters of the path that all operations of a resource have are in `PathParameter`.
    package let parameters: [Parameter]
    /// Nil if it takes none.
    package let body: Body?
    /// Those of its own, by status; the others are the same for all operations of its kind.
    package let responses: [Response]

    init(
        _ name: String, _ method: Method, _ path: String, _ access: Access, tag: String, _ summary: String,
        _ description: String? = nil, needs: [RoomAction] = [], takesKey: Bool? = nil, takesTicket: Bool = false,
        opensHidden: Bool = false, givesReceipt: Bool = false, saysWhatIsLeft: Bool = false, needsVoice: Bool = false,
        parameters: [Parameter] = [], body: Body? = nil, responses: [Response]
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.access = access
        self.tag = tag
        self.summary = summary
        self.description = description
        self.needs = needs
        self.takesKey = takesKey ?? (method != .get && access == .required && path.hasPrefix("/v1/rooms"))
        self.takesTicket = takesTicket
        self.opensHidden = opensHidden
        self.givesReceipt = givesReceipt
        self.saysWhatIsLeft = saysWhatIsLeft
        self.needsVoice = needsVoice
        self.parameters = parameters
        self.body = body
        self.responses = responses
    }

    /// The permission actions of which one is needed; empty if no rule is asked.
    package var actions: [RoomAction] { needs.isEmpty ? [RoomAction(rawValue: name)].compactMap(\.self) : needs }

    /// The status of its first successful response.
    package var successStatus: Int { responses.first { $0.status < 300 }?.status ?? 200 }

    /// Whether the path names a room.
    package var isInRoom: Bool { path.hasPrefix("/v1/rooms/{id}") }

    /// Whether users whom an operator has banned are refused: the commands and streams of rooms.
    package var refusesBanned: Bool {
        guard access == .required || access == .optional else { return false }
        return path.hasPrefix("/v1/rooms") && (method != .get || path.hasSuffix("/events") || path.hasSuffix("/socket"))
            || path == "/v1/me/link"
    }

    /// Whether it is a command on a room whose response is stored under its Idempotency-Key.
    package var keepsResponse: Bool { takesKey && isInRoom }

    /// Media types of its successful responses, without their parameters.
    package var mediaTypes: [String] {
        let types = responses.filter { $0.status < 300 }.flatMap(\.content).map { String($0.mediaType.prefix { $0 != ";" }) }
        return types.isEmpty ? ["application/json"] : types
    }
}

// The lists of all operations; those of a resource are beside them.
extension Operation {
    /// All operations, in the order of the contract.
    package static let all: [Operation] = [
        identity, me, blocks, rooms, members, applications, items, lots, absenteeBids, media, sale, auction, bids, permissions,
        messages, stage, voice,
        results, events, admin, adminUsers, adminRooms, feed, webhooks, system,
    ].flatMap(\.self)

    /// The operations that clients may send as a frame over WebSocket too, by name: all commands on a room whose body is JSON or empty.
    package static let frames: [Operation] = all.filter { $0.keepsResponse && $0.hasJSONOrNoBody }.sorted { $0.name < $1.name }

    private var hasJSONOrNoBody: Bool { body?.content.allSatisfy { $0.mediaType == "application/json" } ?? true }
}
