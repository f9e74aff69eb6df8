internal import ExactJSON
internal import Foundation

extension Contract {
    /// The ids of the permission rules: what the tables of `openapi/permission-rules.md` list, which a test compares with the rules.
    private static let permissionRules: Set<String> = {
        let file = Contract.file.deletingLastPathComponent().appending(path: "permission-rules.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return Set(
            text.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
                return cells.count > 4 && cells[1].contains(".") ? cells[1] : nil
            })
    }()

    /// The commands whose every response has a receipt.
    private static let withReceipt: Set<String> = [
        "placeBid", "placeAbsenteeBid", "extend", "warn", "changeAsk", "reofferLot", "voidResult", "acceptOffer",
        "declineOffer", "approveApplication", "declineApplication",
    ]

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
        // A step of the stage may be refused for what it names, with the code of the rule about its caller.
        let isRule = body.text("type") == "/problems/permission-denied" && Self.permissionRules.contains(code)
        if isRule != (body["permission"] != nil) {
            found.append("`permission` is in the refusals of permission rules, and only there")
        }
        if isRule {
            if body.text("permission.rule") != code { found.append("the permission's rule is not the problem's code") }
            if body["instance"] == nil || body["requestId"] == nil { found.append("a denial has `instance` and `requestId`") }
        }
        let hasReceipt = operation.map { Self.withReceipt.contains($0.id) } ?? false
        // What is refused before the request was read has no receipt.
        let mayLack = [408, 413, 414, 431, 503].contains(status)
        for name in ["receivedAt", "serverTime", "endsAt", "seq"] {
            if body[name] != nil, !hasReceipt { found.append("\(name) is for commands with a receipt") }
            if body[name] == nil, hasReceipt, !mayLack { found.append("\(name) is missing") }
        }
        return found
    }
}
