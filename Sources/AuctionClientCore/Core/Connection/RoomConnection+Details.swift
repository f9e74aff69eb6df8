import StateMachines

/// Reads of the room beside the stream, for what events do not tell.
struct DetailsReading: Sendable {
    /// The most events that are kept for a read that is on its way.
    static let maximumEvents = 64

    /// The seq of the latest event that may have changed it; nil if nothing is to be read.
    var wantedAt: Int64?
    var call: RoomConnection.CallID?
    var sentAt = MachineTimestamp(milliseconds: 0)
    /// The next read not before.
    var nextAt: MachineTimestamp
    /// Whether the connection was live before.
    var wasLive = false
    /// The first events after `wantedAt`, by which a room that was read before them catches up. None of them may have
    /// changed the details.
    var later: [RoomEvent] = []

    init(nextAt: MachineTimestamp) { self.nextAt = nextAt }
}

extension RoomConnection {
    mutating func wantDetails() {
        details.wantedAt = cursor ?? 0
        details.later = []
    }

    /// An event that changes no details, for a read that may not have it.
    mutating func keepForDetails(_ event: RoomEvent) {
        if isReadingDetails, details.later.count < DetailsReading.maximumEvents { details.later.append(event) }
    }

    /// Whether a read is to come, or on its way.
    var isReadingDetails: Bool { details.wantedAt != nil || details.call != nil }

    /// When a read is due, or has taken too long.
    var detailsDeadline: MachineTimestamp? {
        guard running.state == .live else { return nil }
        if details.call != nil { return details.sentAt + settings.openTimeout }
        return details.wantedAt == nil ? nil : details.nextAt
    }

    mutating func readDetailsIfDue() {
        guard running.state == .live, let deadline = detailsDeadline, deadline <= now else { return }
        if let call = details.call {
            directives.append(.cancel(call))
            details.call = nil
            details.nextAt = now + settings.detailsInterval
            return
        }
        let call = beginDetailsCall()
        details.call = call
        details.sentAt = now
        details.nextAt = now + settings.detailsInterval
        directives.append(.send(call, roomCall()))
    }

    /// A read that failed is repeated less often; whether the room is still there is for the stream to find out.
    mutating func detailsFailed() {
        details.call = nil
        details.nextAt = now + settings.detailsInterval * 5
    }

    mutating func receivedDetails(_ response: HTTPResponse) {
        details.call = nil
        guard response.head.isSuccess, let json = json(in: response), var reading = room(in: json) else {
            return detailsFailed()
        }
        observe(json, sentAt: details.sentAt)
        guard var state, reading.details.seq >= state.details.seq else { return }
        if let wanted = details.wantedAt, reading.seq >= wanted {
            // Otherwise what only a response tells, such as the caller's minimum in a sealed round, would be lost to any message.
            for event in details.later { reading.apply(event) }
            details.wantedAt = nil
            details.later = []
        }
        if reading.seq >= state.seq {
            ahead = reading
            adoptIfReached()
        } else {
            state.details = reading.details
            self.state = state
            buffer.append(RoomUpdate(event: nil, state: state), bytes: 0)
        }
    }

    /// Replaces the state by one that was read, once both are at the same place: the state never has more than the events before it.
    mutating func adoptIfReached() {
        guard let reading = ahead, let state, reading.seq <= state.seq else { return }
        ahead = nil
        guard reading.seq == state.seq else { return }
        var adopted = reading
        adopted.result = state.result
        adopted.isArchived = state.isArchived
        if adopted.item?.id == state.item?.id { adopted.itemLot = state.itemLot }
        guard adopted != state else { return }
        self.state = adopted
        buffer.append(RoomUpdate(event: nil, state: adopted), bytes: 0)
    }
}
