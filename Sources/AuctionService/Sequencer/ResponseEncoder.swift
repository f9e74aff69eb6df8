package import AuctionDomain
package import EventLog

/// An encoded response to a command.
package struct CommandResponse: Hashable, Sendable {
    /// HTTP status code.
    package let status: Int
    /// Headers beyond those that the server adds to every response.
    package let headers: [ResponseHeader]
    /// The body's bytes; may be empty.
    package let body: [UInt8]

    package init(status: Int, headers: [ResponseHeader] = [], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Why a command was neither accepted nor refused.
package enum ServiceFailure: Hashable, Sendable {
    /// The append of this command alone failed: a defect of the service that affects no other command.
    case poisoned
    /// The log is unreachable; the command was not appended.
    case logUnavailable
    /// It is unknown whether the command was appended: the client may repeat it with the same key.
    case outcomeUnknown
    /// A queue is full.
    case overloaded
    /// The service is stopping.
    case stopping
    /// The same key was used with another request body.
    case keyReused
    /// The caller has reached the maximum of keyed commands in flight.
    case tooManyKeys
}

/// Encodes responses. Pure: the same arguments produce the same bytes.
package protocol ResponseEncoder: Sendable {
    /// Encodes the response of an accepted command.
    /// - Parameter room: The room after the command.
    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse
    /// Encodes a refusal.
    /// - Parameter room: The room that the refusal was decided on; nil if there is none or the caller must not see it.
    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse
    /// Encodes a failure of the service.
    /// - Parameter room: The room, if it is known and the caller may see it; nil otherwise.
    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse
    /// Encodes a stored response, marked as a replay.
    func replayed(_ record: StoredResponse) -> CommandResponse
}
