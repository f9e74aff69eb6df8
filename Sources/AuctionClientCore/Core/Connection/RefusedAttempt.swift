/// What a connection makes of a response other than 2xx.
enum RefusedAttempt {
    /// The service does not accept the token; the provider may have another one.
    case token
    case retry(WaitReason, after: Duration?)
    /// An intermediary does not let streams through.
    case noStreams
    /// The service has no event at the cursor.
    case behind
    /// Final, once it is certain that the service has refused.
    case stop(StopReason)

    init(_ problem: Problem, over transport: RoomTransport) {
        self =
            switch problem.status {
            case 401 where problem.isFromService: .token
            case 401: .stop(.unauthorized(problem))
            case 300...399: .retry(.unexpectedResponse(status: problem.status, mediaType: ""), after: nil)
            case 406 where transport == .serverSentEvents, 501 where transport == .serverSentEvents: .noStreams
            case 408, 425, 429, 500...599: .retry(.service(problem), after: problem.retryAfter)
            case 400 where problem.field == "after": .behind
            case 403: .stop(.forbidden(problem))
            case 404: .stop(.notFound(problem))
            default: .stop(.refused(problem))
            }
    }
}
