import ExactJSON
import HTTPContract
import MicroHTTP

// What must hold of every answer.
extension FuzzRun {
    func judge(_ answer: HTTPAnswer, to request: FuzzRequest) {
        let status = answer.status
        report.statuses["\(request.operation?.id ?? "none") \(status)", default: 0] += 1
        if status == 500 { fail(.internalError, "\(answer.bodyText.prefix(300)) for \(request.text)") }
        for violation in violations(answer, request).prefix(2) {
            fail(.contract, "\(violation) in \(status) \(answer.bodyText.prefix(300)) for \(request.text)")
        }
        checkSecrets(answer, request)
        world.learn(from: answer, to: request.operation?.id, by: request.user, from: request.wire.address)
    }

    /// Before any route is known a request is refused for what it is, wherever it goes.
    func judgeRefusal(_ answer: HTTPAnswer, of request: FuzzRequest) {
        report.statuses["refused \(answer.status)", default: 0] += 1
        let isMeant = [400, 408, 413, 414, 431].contains(answer.status)
        let violations =
            (isMeant ? [] : ["refused with \(answer.status)"])
            + contract.violations(ofBody: answer.json, status: answer.status, of: nil)
        if let violation = violations.first {
            fail(.contract, "\(violation) in \(answer.bodyText.prefix(300)) for \(request.text)")
        }
    }

    private func violations(_ answer: HTTPAnswer, _ request: FuzzRequest) -> [String] {
        let sent = HTTPRequest(
            method: request.wire.method, path: request.wire.target, headers: request.wire.headers, body: request.wire.body)
        // The page and the contract itself are files, which other tests compare; reading YAML takes a second.
        if answer.contentType == "application/yaml" { return [] }
        // A segment that cannot be decoded makes it a path that no operation has.
        if answer.code == "route.not_found", sent.path.contains("%") {
            return contract.violations(ofBody: answer.json, status: 404, of: nil)
        }
        return contract.violations(of: sent, answer)
    }

    private func checkSecrets(_ answer: HTTPAnswer, _ request: FuzzRequest) {
        guard answer.body.count < 100_000 else { return }
        let text = answer.bodyText + answer.headers.map(\.value).joined(separator: "\n")
        let caller = request.user.map { world.users[$0].id }
        // Who succeeds a host hands out the code as well.
        let host = answer.isJSON ? answer.text("host.id") : nil
        for room in world.rooms where room.host != request.user && (host == nil || host != caller) {
            guard let code = room.inviteCode, text.contains(code) else { continue }
            // Whoever sent it knows it.
            guard !String(decoding: request.wire.body, as: UTF8.self).contains(code), !request.wire.target.contains(code) else {
                continue
            }
            fail(.secret, "the code of a room shows in \(answer.status) \(text.prefix(300)) for \(request.text)")
        }
        if answer.isJSON { checkReserve(answer.json, request) }
    }

    /// A reserve is shown to the item's owner only.
    private func checkReserve(_ json: JSONValue, _ request: FuzzRequest) {
        let item = json["item"] ?? json
        guard let id = item.text("id"), let owner = world.owners[id], owner != request.user else { return }
        for rules in [json["rules"], item["rules"]] {
            guard let reserve = rules?["reservePrice"], reserve != .null else { continue }
            fail(.secret, "the reserve \(reserve.written) shows for \(request.text)")
        }
    }
}
