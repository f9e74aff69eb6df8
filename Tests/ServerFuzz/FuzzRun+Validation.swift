import AuctionServer
import ExactJSON
import HTTPContract
import MicroHTTP

// The checks on every response.
extension FuzzRun {
    func validate(_ response: HTTPResponse, to request: FuzzRequest) {
        let status = response.status
        report.statuses["\(request.operation?.id ?? "none") \(status)", default: 0] += 1
        if status == 500 { fail(.internalError, "\(response.bodyText.prefix(300)) for \(request.text)") }
        for violation in violations(response, request).prefix(2) {
            fail(.contract, "\(violation) in \(status) \(response.bodyText.prefix(300)) for \(request.text)")
        }
        checkSecrets(response, request)
        world.record(from: response, to: request.operation?.id, by: request.user, from: request.wire.address)
    }

    /// Checks a response that rejected the request before routing, so that no operation describes it.
    func validateRefusal(_ response: HTTPResponse, of request: FuzzRequest) {
        report.statuses["refused \(response.status)", default: 0] += 1
        // The token of a larger body is checked before the body is read.
        let isLarge = request.wire.body.count > serverOptions.http.limits.bodyBytes
        let isMeant = ([400, 408, 413, 414, 431] + (isLarge ? [401, 429] : [])).contains(response.status)
        let violations =
            (isMeant ? [] : ["refused with \(response.status)"])
            + contract.violations(ofBody: response.json, status: response.status, of: nil)
        if let violation = violations.first {
            fail(.contract, "\(violation) in \(response.bodyText.prefix(300)) for \(request.text)")
        }
    }

    private func violations(_ response: HTTPResponse, _ request: FuzzRequest) -> [String] {
        let sent = HTTPRequest(
            method: request.wire.method, path: request.wire.target, headers: request.wire.headers, body: request.wire.body)
        // Parsing the served contract takes a second, and other tests compare that file byte for byte.
        if response.contentType == "application/yaml" { return [] }
        // A path segment with an invalid percent-encoding matches no operation.
        if response.code == "route.not_found", sent.path.contains("%") {
            return contract.violations(ofBody: response.json, status: 404, of: nil)
        }
        return contract.violations(of: sent, response)
    }

    private func checkSecrets(_ response: HTTPResponse, _ request: FuzzRequest) {
        guard response.body.count < 100_000 else { return }
        let text = response.bodyText + response.headers.map(\.value).joined(separator: "\n")
        let caller = request.user.map { world.users[$0].id }
        // A member who succeeded the host may read the invite code as well.
        let host = response.isJSON ? response.text("host.id") : nil
        for room in world.rooms where room.host != request.user && (host == nil || host != caller) {
            guard let code = room.inviteCode, text.contains(code) else { continue }
            // A caller who sent the code already has it.
            guard !String(decoding: request.wire.body, as: UTF8.self).contains(code), !request.wire.target.contains(code) else {
                continue
            }
            fail(
                .secret, "the invite code of a room is disclosed in \(response.status) \(text.prefix(300)) for \(request.text)")
        }
        if response.isJSON { checkReserve(response.json, request) }
    }

    /// The reserve price is visible to the item's owner only.
    private func checkReserve(_ json: JSONValue, _ request: FuzzRequest) {
        let item = json["item"] ?? json
        guard let id = item.text("id"), let owner = world.owners[id], owner != request.user else { return }
        for rules in [json["rules"], item["rules"]] {
            guard let reserve = rules?["reservePrice"], reserve != .null else { continue }
            fail(.secret, "the reserve \(reserve.written) is disclosed for \(request.text)")
        }
    }
}
