import AuctionServer
import ExactJSON
import Foundation
import HTTPContract
import Testing

/// The AsyncAPI document against real streams.
struct StreamContractTests {
    private let contract: StreamContract

    init() throws { contract = try StreamContract.shared.get() }

    /// The socket's frames until the acknowledgement of `id`, which comes last.
    private func frames(_ socket: SocketReader, to id: String) throws -> [JSONValue] {
        var all: [JSONValue] = []
        while let item = try socket.next() {
            all.append(item.data)
            if item.data.text("ack") == id { return all }
        }
        throw StreamReader.Failure(description: "closed: \(socket.closeCode ?? 0)")
    }

    /// Sends a command that must be in the contract unless `isKnown` is false, and checks every frame of the server that follows.
    private func perform(
        _ type: String, _ members: JSONValue = [:], on socket: SocketReader, expecting kind: String = "done",
        isKnown: Bool = true, at location: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let frame = JSONValue.object(
            [JSONMember(name: "id", value: .string(type)), JSONMember(name: "type", value: .string(type))]
                + [JSONMember(name: "key", value: .string("\(type)-\(members.written.hashValue)"))] + (members.members ?? []))
        #expect(contract.kinds(of: frame, on: "socket") == (isKnown ? [type] : []), sourceLocation: location)
        try socket.sendText(frame.written)
        let answers = try frames(socket, to: type)
        for answer in answers.dropLast() {
            #expect(
                [["event"], ["notice"]].contains(contract.kinds(of: answer, on: "socket")), "\(answer.written)",
                sourceLocation: location)
        }
        let last = try #require(answers.last)
        #expect(contract.kinds(of: last, on: "socket") == [kind], "\(last.written)", sourceLocation: location)
        return last
    }

    /// Bodies and refusals beside those of the access table, whose frames `AccessTableTests` checks in the same way.
    @Test func `frames with optional members, and refused ones, are messages of the contract`() throws {
        let fixture = try RoomFixture()
        let host = try SocketReader(fixture, by: fixture.host)
        let owner = try SocketReader(fixture, "?after=latest", by: fixture.owner)
        let bidder = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        _ = try perform("uploadItem", RoomFixture.teapot, on: owner)
        _ = try perform("configurePermissions", ["ruleId": "bid.viewer", "priority": 7], on: host)
        _ = try perform("startAuction", ["expectedState": "preparing", "reason": "it is time"], on: host)
        _ = try perform("startAuction", ["expectedState": "listing"], on: host)
        let bid = try perform("placeBid", ["amount": "100.00", "maximum": "200", "round": 1], on: bidder)
        #expect(bid.text("receipt.receivedAt") != nil)
        _ = try perform("placeBid", ["amount": "1"], on: bidder, expecting: "refused")
        let lot = try perform("queueLot", ["name": "Vase", "reference": "B1", "rules": ["startingPrice": "10"]], on: owner)
        let lotID: JSONValue = .string(try #require(lot.text("id")))
        _ = try perform("changeLot", ["lotId": lotID, "reference": .null, "before": .null], on: owner)
        _ = try perform("changeLot", ["lotId": lotID, "name": "Jug"], on: bidder, expecting: "refused")
        _ = try perform("withdrawLot", ["lotId": lotID, "reason": "broken & gone"], on: owner)
        _ = try perform("changeMember", ["userId": .string(fixture.owner.id), "muted": true, "creditLimit": "5"], on: host)
        _ = try perform("kick", ["userId": "me"], on: host, expecting: "refused", isKnown: false)
        _ = try perform("clearSeat", ["seat": 9], on: host, expecting: "refused", isKnown: false)
    }

    @Test func `the commands of the document are the frames of the operations`() {
        let commands = Set(contract.messages(of: "socket").map(\.name)).subtracting(["event", "notice", "done", "refused"])
        #expect(commands == AccessCall.frames)
    }

    @Test func `a frame that is no JSON is refused by a message of the contract`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        try socket.sendText("no JSON")
        var answer = try #require(try socket.next()).data
        while answer["ack"] == nil { answer = try #require(try socket.next()).data }
        #expect(contract.kinds(of: answer, on: "socket") == ["refused"])
    }

    @Test func `server-sent events and notices are messages of the contract`() throws {
        let fixture = try RoomFixture(try TestServer(systemClock: true) { $0.streams.noticeSeconds = 0.1 })
        let seq = try fixture.seq()
        let reader = try EventReader(fixture)
        var kinds: [[String]] = []
        while !kinds.contains(["notice"]) || kinds.count(where: { $0 == ["event"] }) < seq {
            kinds.append(contract.kinds(of: try #require(try reader.next()).data, on: "stream"))
        }
        #expect(Set(kinds) == [["event"], ["notice"]])
    }

    @Test func `frames that no message allows are recognised`() {
        for frame: JSONValue in [
            ["id": "c1", "type": "fly"], ["id": "c1", "type": "retractBid", "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt"],
            ["type": "pause"], ["id": "", "type": "pause"], ["id": "c1", "type": "placeBid", "amount": "-1"],
            ["id": "c1", "type": "placeBid", "amount": "1", "price": "1"], ["ack": "c1"], ["ack": "c1", "problem": [:]],
            ["seq": 1, "type": "bid.placed", "at": "2026-11-21T08:56:46.548Z", "round": 1, "data": [:]],
        ] {
            #expect(contract.kinds(of: frame, on: "socket") == [], "\(frame.written)")
        }
    }

    @Test func `every reference has a target, every example fits, and operations use messages of their channel`() throws {
        #expect(contract.root.text("asyncapi") == "3.0.0")
        func walk(_ value: JSONValue, _ place: String) {
            if let reference = value.text("$ref") { #expect(contract.target(of: reference) != nil, "\(place): \(reference)") }
            for member in value.members ?? [] { walk(member.value, "\(place).\(member.name)") }
            for (index, element) in (value.elements ?? []).enumerated() { walk(element, "\(place)[\(index)]") }
        }
        walk(contract.root, "$")
        for member in contract.root.at("components.messages")?.members ?? [] {
            for example in member.value["examples"]?.elements ?? [] {
                #expect(contract.violations(of: example["payload"] ?? .null, against: member.value) == [], "\(member.name)")
            }
        }
        for member in contract.root["operations"]?.members ?? [] {
            let channel = try #require(member.value.at("channel.$ref")?.text)
            for message in (member.value["messages"]?.elements ?? []) + (member.value.at("reply.messages")?.elements ?? []) {
                #expect(message.text("$ref")?.hasPrefix(channel + "/messages/") == true, "\(member.name)")
            }
        }
        let shared = try Contract.shared.get()
        for member in contract.root.at("components.schemas")?.members ?? [] {
            #expect(shared.component("schemas", member.name) == nil, "\(member.name) is in both documents")
        }
    }

    @Test func `the server serves the document byte for byte`() throws {
        let response = try TestServer().call("GET", "/asyncapi.yaml")
        #expect(response.status == 200)
        #expect(Data(response.body) == (try Data(contentsOf: StreamContract.file)))
    }
}
