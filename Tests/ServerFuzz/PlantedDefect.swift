import ExactJSON
import HTTPContract
import MicroHTTP

/// What is broken on purpose, before and behind the server and never in it: each has to be found.
package enum PlantedDefect: String, Sendable, CaseIterable {
    /// Whole numbers are read with an `abs` that one exponent overflows: the first defect that the fuzzer was made for.
    case exponentOverflow
    /// Each name of an object is compared with all before it, by Unicode's equivalence: the second one.
    case quadraticNames
    /// A cursor at the edge of `Int` is an internal error.
    case internalError
    /// A route refuses a language with a status of its own.
    case undocumentedStatus
    /// An answer has a member that the contract does not know.
    case unknownMember
    /// A problem says nothing.
    case emptyDetail
    /// An event does not come.
    case eventDropped
    /// A request gets no answer.
    case answerForgotten
    /// A private room's code is in everybody's answer.
    case codeShows
    /// A header that is no number is read for ever.
    case endlessLoop

    /// What has to be found.
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

extension PlantedDefect {
    /// Does what the broken server would do with a request before it answers.
    func receive(_ body: [UInt8]) {
        switch self {
        case .exponentOverflow:
            guard let value = try? JSONReader.read(body) else { return }
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

    /// Nil where no answer comes.
    func change(_ answer: HTTPAnswer, to request: FuzzRequest, _ world: FuzzWorld) -> HTTPAnswer? {
        func changed(_ status: Int, _ change: ([JSONMember]) -> [JSONMember] = { $0 }) -> HTTPAnswer {
            let body = answer.json.members.map { JSONText.plain(.object(change($0))) } ?? answer.body
            return HTTPAnswer(status: status, headers: answer.headers, body: body)
        }
        switch self {
        case .internalError where request.wire.target.contains("922337203685477580"): return changed(500)
        case .undocumentedStatus
        where request.wire.headers.contains { $0.name == "Accept-Language" && $0.value.hasPrefix("zh-") }:
            return changed(418)
        case .unknownMember where request.operation?.id == "listBids" && answer.isJSON:
            return changed(answer.status) { $0 + [JSONMember(name: "total", value: 1)] }
        case .emptyDetail where answer.status == 422:
            return changed(422) { $0.map { $0.name == "detail" ? JSONMember(name: "detail", value: "") : $0 } }
        case .answerForgotten where request.operation?.id == "retractBid" && answer.status == 404: return nil
        case .codeShows where request.operation?.id == "readRoom" && answer.status == 200:
            let code = world.rooms.compactMap(\.inviteCode).first ?? ""
            return HTTPAnswer(status: 200, headers: answer.headers + [("X-Code", code)], body: answer.body)
        default: return answer
        }
    }

    /// What comes over a stream.
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
                // As it was: `abs` of the least `Int` is none.
                if parts.count > 1, let exponent = Int(parts[1]), abs(exponent) > 400 { continue }
            }
            readWholeNumbers(member.value)
        }
    }

    /// The old reader's way with names, for each object that is open.
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
