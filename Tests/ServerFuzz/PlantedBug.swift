import ExactJSON
import HTTPContract
import MicroHTTP

/// Bugs that the self-test plants in front of or behind the server, never inside it; the fuzzer must detect each.
package enum PlantedBug: String, Sendable, CaseIterable {
    /// Integers are parsed with an `abs` that overflows for one exponent: a former bug of the product.
    case exponentOverflow
    /// Each member name is compared with all earlier ones by Unicode equivalence, in quadratic time: a former bug of the product.
    case quadraticNames
    /// A cursor near `Int.max` causes an internal error.
    case internalError
    /// A language is refused with a status that the contract does not list.
    case undocumentedStatus
    /// A response has a member that the contract does not declare.
    case unknownMember
    /// A problem has an empty detail.
    case emptyDetail
    /// An event of a stream is dropped.
    case eventDropped
    /// A request gets no response.
    case answerForgotten
    /// The invite code of a private room is in every caller's response.
    case codeShows
    /// Parsing a header that is not a number never terminates.
    case endlessLoop

    /// The rule whose violation must be reported.
    package var rule: FuzzFinding.Rule {
        switch self {
        case .exponentOverflow: .trap
        case .quadraticNames: .budget
        case .internalError: .internalError
        case .undocumentedStatus, .unknownMember, .emptyDetail, .eventDropped: .contract
        case .answerForgotten: .answered
        case .codeShows: .secret
        case .endlessLoop: .hang
        }
    }
}

extension PlantedBug {
    /// Does what a server with the bug would do with a request before responding.
    func receive(_ body: [UInt8]) {
        switch self {
        case .exponentOverflow:
            guard let value = try? JSONReader.read(body, limits: JSONLimits()) else { return }
            Self.readWholeNumbers(value)
        case .quadraticNames: Self.compareNames(body)
        default: break
        }
    }

    func receive(_ headers: [(name: String, value: String)]) {
        guard self == .endlessLoop, let id = headers.first(where: { $0.name == "Last-Event-ID" })?.value, !id.isEmpty else {
            return
        }
        while Int(id) == nil {}
    }

    /// The response of a server with the bug; nil if it sends none.
    func change(_ response: HTTPResponse, to request: FuzzRequest, _ world: FuzzWorld) -> HTTPResponse? {
        func changed(_ status: Int, _ change: ([JSONMember]) -> [JSONMember] = { $0 }) -> HTTPResponse {
            let body = response.json.members.map { JSONText.plain(.object(change($0))) } ?? response.body
            return HTTPResponse(status: status, headers: response.headers, body: body)
        }
        switch self {
        case .internalError where request.wire.target.contains("922337203685477580"): return changed(500)
        case .undocumentedStatus
        where request.wire.headers.contains { $0.name == "Accept-Language" && $0.value.hasPrefix("zh-") }:
            return changed(418)
        case .unknownMember where request.operation?.id == "listBids" && response.isJSON:
            return changed(response.status) { $0 + [JSONMember(name: "total", value: 1)] }
        case .emptyDetail where response.status == 422:
            return changed(422) { $0.map { $0.name == "detail" ? JSONMember(name: "detail", value: "") : $0 } }
        case .answerForgotten where request.operation?.id == "retractBid" && response.status == 404: return nil
        case .codeShows where request.operation?.id == "readRoom" && response.status == 200:
            let code = world.rooms.compactMap(\.inviteCode).first ?? ""
            return HTTPResponse(status: 200, headers: response.headers + [("X-Code", code)], body: response.body)
        default: return response
        }
    }

    /// The bytes that a server with the bug would send over a stream.
    func change(_ bytes: [UInt8]) -> [UInt8] {
        guard self == .eventDropped, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let blocks = text.split(separator: "\n\n")
        guard blocks.count > 2, blocks.allSatisfy({ $0.hasPrefix("id: ") }) else { return bytes }
        return Array((blocks.prefix(1) + blocks.dropFirst(2)).map { $0 + "\n\n" }.joined().utf8)
    }

    private static let wholeNumbers: Set<String> = ["round", "expectedRound", "priority", "listingSeconds", "biddingSeconds"]

    private static func readWholeNumbers(_ value: JSONValue) {
        for member in value.members ?? [] {
            if case .number(let literal) = member.value, wholeNumbers.contains(member.name), Int(literal) == nil {
                let parts = literal.split { $0 == "e" || $0 == "E" }
                // The bug: `abs(Int.min)` overflows and traps.
                if parts.count > 1, let exponent = Int(parts[1]), abs(exponent) > 400 { continue }
            }
            readWholeNumbers(member.value)
        }
    }

    /// Compares the member names of each open object as the defective parser did.
    private static func compareNames(_ body: [UInt8]) {
        var objects: [[String]] = []
        var index = 0
        while index < body.count {
            switch body[index] {
            case UInt8(ascii: "{"): objects.append([])
            case UInt8(ascii: "}"): _ = objects.popLast()
            case UInt8(ascii: "\""):
                let end = body[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) ?? body.count
                let isName = end + 1 < body.count && body[end + 1] == UInt8(ascii: ":")
                if isName, let names = objects.last, names.count <= 1000 {
                    let name = String(decoding: body[(index + 1)..<end], as: UTF8.self)
                    if names.contains(name) { return }
                    objects[objects.count - 1].append(name)
                }
                index = end
            default: break
            }
            index += 1
        }
    }
}
