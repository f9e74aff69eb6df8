extension AuctionClient {
    /// Opens a room; the caller becomes its host.
    /// - Parameters:
    ///   - name: one line, at most 100 characters.
    ///   - currency: of all amounts in the room.
    ///   - visibility: whether everyone sees it, or its members only.
    public func openRoom(
        name: String, currency: Currency = "CNY", visibility: Visibility = .everyone
    ) async throws(AuctionError) -> RoomState {
        let body: JSONValue = [
            "name": .string(name), "currency": .string(currency.code), "visibility": .string(visibility.rawValue),
        ]
        return try await perform(
            Command(kind: .openRoom, method: "POST", target: "/v1/rooms", body: body) { (json) throws(MalformedJSON) in
                try RoomState(json)
            })
    }

    /// A list without amounts of a room whose currency has to be known first.
    func pages<Element: Sendable>(
        _ target: String, _ list: String, _ decode: @escaping @Sendable (JSONFields) throws(MalformedJSON) -> Element
    ) -> Pages<Element> {
        Pages { [self] cursor in try await page(target, cursor, list, decode) }
    }

    /// The rooms that the caller may see, newest first, read page by page as they are asked for.
    /// - Parameter phase: only rooms in this state; nil for all.
    public func rooms(phase: RoomPhase? = nil, pageSize: Int = 50) -> Pages<RoomListing> {
        let state = phase.map { "state=\($0.rawValue.pathSegment)&" } ?? ""
        return pages("/v1/rooms?\(state)limit=\(pageSize)", "rooms", RoomListing.init)
    }
}
