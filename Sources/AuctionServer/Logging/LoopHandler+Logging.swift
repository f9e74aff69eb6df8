internal import AuctionDomain
internal import Logging
internal import MicroHTTP

// Requests in the log, at debug level only: what was asked of which room, never what came with it. Tokens, tickets and invite
// codes are in headers, queries and bodies, none of which is looked at here.
extension LoopHandler {
    func logRequest(_ route: Route, _ parameters: [String], _ requestID: String) {
        shared.logger.debug(
            "request",
            metadata: metadata(route.method.rawValue, route.pattern, route.needsRoom ? parameters.first : nil, requestID))
    }

    func logProblem(_ problem: Problem, _ requestID: String) {
        shared.logger.debug(
            "refused",
            metadata: ["requestId": "\(requestID)", "status": "\(problem.status)", "code": "\(problem.code)"])
    }

    private func metadata(_ method: String, _ pattern: String, _ room: String?, _ requestID: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["requestId": "\(requestID)", "method": "\(method)", "route": "\(pattern)"]
        // What is no room's name may be anything.
        if let room, RoomID(room) != nil { metadata["room"] = "\(room)" }
        return metadata
    }
}
