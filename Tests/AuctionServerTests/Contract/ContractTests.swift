@testable import AuctionServer
import AuctionContract
import AuctionDomain
import EventLog
import ExactJSON
import Foundation
import MicroHTTP
import Permissions
import Testing

struct ContractTests {
    private let contract: Contract

    init() throws { contract = try Contract.shared.get() }

    @Test func `the server's routes are exactly those of the contract`() {
        let served = Set(Routes.all.map { "\($0.method.rawValue) \($0.pattern)" })
        let described = Set(contract.operations.map { "\($0.method) \($0.path)" })
        #expect(served.subtracting(described).sorted() == [], "served, not described")
        #expect(described.subtracting(served).sorted() == [], "described, not served")
    }

    @Test func `the documents are those that the operations make`() throws {
        let folder = Contract.file.deletingLastPathComponent()
        let documents = try ContractDocuments.all(events: EventExamples.kinds()) {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        for (name, text) in documents {
            let written = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(written == text, "write \(name) anew: auction-room contract --to openapi")
        }
    }

    @Test func `every operation has a unique id and declares its security`() throws {
        #expect(Set(contract.operations.map(\.id)).count == contract.operations.count)
        for operation in contract.operations {
            let route = try #require(
                Routes.all.first { $0.pattern == operation.path && $0.method.rawValue == operation.method })
            if let bound = route.operation { #expect(bound.access == route.access, "the handler of \(bound.name)") }
            let read: [JSONValue] = route.isReadByOperators ? [["service": ["rooms:read"]]] : []
            let expected: JSONValue =
                switch route.access {
                case .anonymous: []
                case .optional: .array([[:], ["bearer": []]] + read + (route.takesTicket ? [["ticket": []]] : []))
                case .required where route.isReadByOperators: .array([["bearer": []]] + read)
                case .required where route.takesOperators: [["bearer": []], ["service": ["rooms:write"]]]
                case .required: [["bearer": []]]
                case .operator: [[:], ["operator": []]]
                case .service(let scope): [["service": [.string(scope.rawValue)]]]
                }
            #expect(operation.node["security"] == expected, "\(operation.id)")
            for name in operation.path.split(separator: "/").filter({ $0.hasPrefix("{") }).map({ $0.dropFirst().dropLast() }) {
                let shared = contract.root["paths"]?[operation.path]?["parameters"]?.elements ?? []
                let parameters = shared.compactMap { contract.resolved($0) }
                #expect(parameters.contains { $0.text("name") == String(name) }, "\(operation.id): \(name)")
            }
        }
    }

    @Test func `the contract lists exactly the server's currencies`() throws {
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let codes = letters.flatMap { first in letters.flatMap { second in letters.map { first + second + $0 } } }
        let listed = try #require(contract.component("schemas", "CurrencyCode")?["x-extensible-enum"]?.elements).compactMap(
            \.text)
        #expect(listed == codes.filter { Currency(code: $0) != nil })
    }

    @Test func `the largest total, twice the largest price, is an amount of the contract`() throws {
        let premium = try #require(Premium(rawValue: Premium.basisPointsRange.upperBound))
        let schema = try #require(contract.component("schemas", "OptionalAmount"))
        for code in ["JPY", "CNY", "KWD"] {
            let total = try #require(Currency(code: code)).text(premium.total(of: .maximum))
            #expect(contract.checker.violations(of: .string(total), against: schema) == [], "\(code)")
        }
    }

    @Test func `every example is valid, and every body has an example`() {
        var count = 0
        contract.root.forEachExample { place, schema, example in
            count += 1
            for violation in contract.checker.violations(of: example, against: schema) {
                Issue.record("\(place): \(violation)")
            }
        }
        #expect(count > 100)
        contract.root.forEachMember { place, name, value in
            for media in name == "content" ? value.members ?? [] : [] {
                #expect(
                    media.value["example"] != nil || media.value["examples"] != nil, "\(place).\(media.name) has no example")
            }
        }
    }

    @Test func `every problem code is used, and every rule has a code with the status of its category`() throws {
        let codes = ProblemCode.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        let statuses: [PermissionCategory: Int] = [.identity: 403, .role: 403, .state: 409, .amount: 422, .limit: 429]
        let rules = try RoomRulebook.product().permissions.rules
        for rule in rules {
            #expect(ProblemCode.named[rule.id]?.status == statuses[rule.category], "\(rule.id) is not in the contract")
        }
        #expect(Set(ProblemCode.ruleDetails.keys).isSubset(of: rules.map(\.id)))
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        let sources = try files.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" && !$0.path().contains("/AuctionContract/") }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for code in codes where !rules.contains(where: { $0.id == code }) {
            #expect(sources.contains("\"\(code)\""), "the server has no problem with the code \(code)")
        }
        // A room's state that only another version of the server knows cannot be part of this version's contract.
        for code in sources.matches(of: #/code: "([a-z_.]+)"/#).map({ String($0.1) }) where code != "room.unknown_state" {
            #expect(codes.contains(code), "\(code) is not in the contract")
        }
    }

    @Test func `each answer names its codes once, and every call on a room may be refused because too many rooms are read`() {
        for operation in contract.operations {
            for answer in operation.node["responses"]?.members ?? [] {
                let listed = contract.resolved(answer.value)?["x-problem-codes"]?.elements ?? []
                let codes = listed.compactMap(\.text)
                #expect(Set(codes).count == codes.count, "\(operation.id) \(answer.name)")
                guard answer.name == "503", operation.path.hasPrefix("/v1/rooms/{id}") else { continue }
                #expect(codes.contains("service.too_many_reads"), "\(operation.id)")
            }
        }
    }

    @Test func `the contract's enumerations match the server's`() throws {
        func values(_ schema: String) -> [String] {
            (contract.component("schemas", schema)?["x-extensible-enum"]?.elements ?? []).compactMap(\.text).sorted()
        }
        let rulebook = try RoomRulebook.product()
        #expect(values("StateName") == rulebook.states.all.map(\.name.rawValue).sorted())
        #expect(values("Action") == RoomAction.allCases.map(\.rawValue).sorted())
        #expect(values("Role") == Role.allCases.map(\.rawValue).sorted())
        #expect(values("Visibility") == Visibility.allCases.map(\.rawValue).sorted())
        #expect(values("ProblemType") == ProblemType.all.map(\.path).sorted())
    }

    @Test func `the contract's events are the kinds that the log writes`() throws {
        let schema = try #require(contract.component("schemas", "KnownEvent"))
        var types: Set<String> = []
        for body in EventExamples.all {
            let event = Event(seq: 1, at: Timestamp(milliseconds: 0), round: 1, body: body)
            let stored = EventCodec.encode(event, currency: .cny, after: .zero)
            types.insert(stored.type)
            let violations = contract.checker.violations(of: try JSONReader.read(stored.publicBytes), against: schema)
            #expect(violations == [], "\(stored.type)")
        }
        let mapping = try #require(schema["discriminator"]?["mapping"]?.members).map(\.name)
        #expect(Set(mapping) == types)
        #expect(Set(schema["oneOf"]?.elements ?? []).count == types.count)
        let open = try #require(contract.component("schemas", "EventType")?["x-extensible-enum"]?.elements).compactMap(\.text)
        #expect(Set(open) == types)
    }

    @Test func `operations have the names of permission actions, or say which they need`() throws {
        let actions = Set(RoomAction.allCases.map(\.rawValue))
        let named = contract.operations.flatMap { operation in
            [operation.id] + (operation.node["x-permission-actions"]?.elements ?? []).compactMap(\.text)
        }
        #expect(actions.subtracting(named).sorted() == [])
        for operation in contract.operations {
            let listed = Set((operation.node["x-permission-actions"]?.elements ?? []).compactMap(\.text))
            #expect(listed.subtracting(actions).sorted() == [], "\(operation.id)")
        }
    }

    @Test func `clients of the served contract meet what they do not know without an error`() throws {
        let checker = SchemaChecker { contract.resolved(["$ref": .string($0)]) }
        let room = try RoomFixture().call("GET").json
        let schema = try #require(contract.component("schemas", "Room"))
        #expect(checker.violations(of: room, against: schema) == [])
        let later = JSONValue.object(
            (room.members ?? []).map { $0.name == "state" ? JSONMember(name: "state", value: "auditing") : $0 }
                + [JSONMember(name: "sponsor", value: ["name": "Ann"])])
        #expect(checker.violations(of: later, against: schema) == [])
        #expect(!contract.checker.violations(of: later, against: schema).isEmpty)
        let event: JSONValue = [
            "seq": 1, "type": "item.appraised", "at": "2026-11-21T08:56:46.548Z", "round": 1, "data": ["value": "1.00"],
        ]
        let events = try #require(contract.component("schemas", "Event"))
        #expect(checker.violations(of: event, against: events) == [])
    }

    @Test func `no answer has a closed list of values, which a later version could not extend`() {
        var known: Set<String> = []
        var schemas = contract.operations.compactMap { $0.node["responses"] }
        while let next = schemas.popLast() {
            next.forEachMember { place, name, value in
                #expect(name != "enum", "\(place): \(value.written)")
                guard name == "$ref", let target = value.text, known.insert(target).inserted else { return }
                if let schema = contract.resolved(["$ref": value]) { schemas.append(schema) }
            }
        }
        #expect(known.count > 50)
    }

    @Test func `a nullable schema has the members of the schema that it is the nullable form of`() throws {
        for (name, schema) in (contract.root["components"]?["schemas"]?.members ?? []).map({ ($0.name, $0.value) })
        where name.hasPrefix("Optional") {
            let whole = try #require(contract.component("schemas", String(name.dropFirst("Optional".count))), "\(name)")
            for keyword in ["properties", "required", "pattern", "x-extensible-enum", "format"] {
                #expect(schema[keyword] == whole[keyword], "\(name).\(keyword)")
            }
            #expect(schema["type"] == [try #require(whole["type"]), "null"], "\(name)")
        }
    }

    @Test func `service, metrics, both contracts, the example and the changelog have one version`() throws {
        let server = try TestServer()
        let service = try server.call("GET", "/v1")
        let described = contract.root["paths"]?["/v1"]?["get"]?["responses"]?["200"]?["content"]?["application/json"]
        let example = described?["example"]
        let named = [
            service.text("version"), service.text("contractVersion"),
            example?.text("version"), example?.text("contractVersion"),
            contract.root.text("info.version"), try StreamContract.shared.get().root.text("info.version"),
        ]
        #expect(named.allSatisfy { $0 == ServiceVersion.current }, "\(named)")
        let metrics = try server.call("GET", "/metrics").bodyText
        #expect(metrics.contains(#"auction_build_info{version="\#(ServiceVersion.current)","#))
        let changelog = try String(contentsOf: Self.sources.appending(path: "../CHANGELOG.md"), encoding: .utf8)
        let newest = changelog.split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(newest == "## \(ServiceVersion.current)", "the changelog begins with the version that is released next")
        for link in service["links"]?.members ?? [] {
            let method = link.name == "guests" ? "POST" : "GET"
            #expect(contract.operation(method, link.value.text ?? "") != nil, "\(link.name)")
        }
    }

    private static var sources: URL { Contract.file.appending(path: "../../Sources").standardizedFileURL }

    @Test func `the server serves the contract byte for byte`() throws {
        let response = try TestServer().call("GET", "/openapi.yaml")
        #expect(response.status == 200)
        #expect(Data(response.body) == (try Data(contentsOf: Contract.file)))
    }
}

extension JSONValue {
    /// Visits every member of every object, with the object's path; examples are skipped.
    fileprivate func forEachMember(at place: String = "$", _ visit: (String, String, JSONValue) -> Void) {
        for member in members ?? [] where member.name != "example" && member.name != "examples" {
            visit(place, member.name, member.value)
            member.value.forEachMember(at: "\(place).\(member.name)", visit)
        }
        for (index, element) in (elements ?? []).enumerated() { element.forEachMember(at: "\(place)[\(index)]", visit) }
    }

    /// Visits every example of bodies, headers, parameters and schemas, with its path and schema.
    fileprivate func forEachExample(at place: String = "$", _ visit: (String, JSONValue, JSONValue) -> Void) {
        if let schema = self["schema"] {
            if let example = self["example"] { visit(place, schema, example) }
            for example in self["examples"]?.members ?? [] {
                visit("\(place).\(example.name)", schema, example.value["value"] ?? .null)
            }
        } else if let examples = self["examples"]?.elements {
            for example in examples { visit(place, self, example) }
        }
        for member in members ?? [] where member.name != "example" && member.name != "examples" {
            member.value.forEachExample(at: "\(place).\(member.name)", visit)
        }
        for (index, element) in (elements ?? []).enumerated() { element.forEachExample(at: "\(place)[\(index)]", visit) }
    }
}
