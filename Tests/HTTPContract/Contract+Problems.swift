internal import ExactJSON

extension Contract {
    /// What the schema of all problems leaves open: the codes that a response may have, and which members a problem has.
    func problemViolations(
        _ status: Int, _ body: JSONValue, _ responseObject: JSONValue, _ operation: Operation?
    ) -> [String] {
        guard status >= 400, let code = body.text("code") else { return [] }
        var found: [String] = []
        if body["status"] != .number(String(status)) { found.append("the problem's status is not the response's") }
        if let codes = responseObject["x-problem-codes"]?.elements, !codes.contains(.string(code)) {
            found.append("$.code: \(code) is none of the response's x-problem-codes")
        }
        if let permission = body["permission"] {
            if body.text("type") != "/problems/permission-denied" { found.append("only a denied permission has `permission`") }
            if permission.text("rule") != code { found.append("the permission's rule is not the problem's code") }
            if body["instance"] == nil || body["requestId"] == nil { found.append("a denial has `instance` and `requestId`") }
        }
        let isBid = operation?.id == "placeBid"
        // What is refused before the request reaches its operation has no receipt.
        let mayLack = status != 403 && status != 409 && status != 422
        for name in ["receivedAt", "serverTime", "endsAt", "seq"] {
            if body[name] != nil, !isBid { found.append("\(name) is for bids") }
            if body[name] == nil, isBid, !mayLack { found.append("\(name) is missing") }
        }
        return found
    }
}
