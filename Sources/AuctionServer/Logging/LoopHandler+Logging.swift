internal import AuctionDomain
internal import Logging
internal import MicroHTTP

// Logs requests at debug level: route and room only. Headers, query and body may contain tokens, tickets and invite codes and are
// never logged.
extension LoopHandler {
    func logRequest(_ route: Route, _ parameters: [String], _ requestID: String) {
        shared.logger.debug("request", metadata: metadata(route, parameters, requestID))
    }

    func logProblem(_ problem: Problem, _ requestID: String) {
        shared.logger.debug(
            "refused",
            metadata: ["requestId": "\(requestID)", "status": "\(problem.status)", "code": "\(problem.code)"])
    }

    private func metadata(_ route: Route, _ parameters: [String], _ requestID: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "requestId": "\(requestID)", "method": "\(route.method.rawValue)", "route": "\(route.pattern)",
        ]
        let room = route.pattern.hasPrefix("/v1/rooms/{") ? parameters.first : nil
        // A parameter that is not a room id is arbitrary client text and is not logged.
        if let room, RoomID(room) != nil { metadata["room"] = "\(room)" }
        return metadata
    }
}
