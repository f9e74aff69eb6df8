/// The requests of a connection to one room.
struct RoomRequests: Sendable {
    let room: String
    private let language: String
    private let settings: ConnectionSettings

    init(room: String, language: String, settings: ConnectionSettings) {
        self.room = room
        self.language = language
        self.settings = settings
    }

    /// Reads the room.
    func read(with credential: Credential?) -> HTTPCall {
        get("", accept: "application/json", timeout: settings.openTimeout, credential)
    }

    /// Opens a stream of the events after a cursor.
    func stream(after cursor: Int64, with credential: Credential?) -> HTTPCall {
        // The connection has its own deadlines, which depend on its state. The transport's is the last resort.
        get("/events?after=\(cursor)", accept: "text/event-stream", timeout: settings.stallTimeout + .seconds(10), credential)
    }

    /// Polls for events after a cursor.
    /// - Parameters:
    ///   - waits: whether the service holds the request until there is an event.
    ///   - space: how many updates the buffer can take.
    func poll(after cursor: Int64, waits: Bool, space: Int, with credential: Credential?) -> HTTPCall {
        let wait = waits ? min(max(settings.pollSeconds, 0), 60) : 0
        let limit = max(1, min(100, space))
        return get(
            "/events?after=\(cursor)&wait=\(wait)&limit=\(limit)", accept: "application/json",
            timeout: .seconds(wait) + settings.openTimeout, credential)
    }

    private func get(_ path: String, accept: String, timeout: Duration, _ credential: Credential?) -> HTTPCall {
        var headers = [HTTPHeader("Accept", accept), HTTPHeader("Accept-Language", language)]
        if let credential { headers.append(HTTPHeader("Authorization", "Bearer \(credential.token)")) }
        return HTTPCall(
            method: "GET", target: "/v1/rooms/\(room.pathSegment)\(path)", headers: headers, body: nil, timeout: timeout,
            responseLimit: settings.maximumResponseBytes)
    }
}
