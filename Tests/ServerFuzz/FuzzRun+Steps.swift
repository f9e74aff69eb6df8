import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import ExactJSON
import HTTPContract
import MicroHTTP

// The steps of a run.
extension FuzzRun {
    /// The request of a setup step: these open a room, add members and start an auction, without which most commands would be refused.
    /// Nil for later steps.
    func prelude(_ step: Int, _ generator: inout SeededGenerator) -> FuzzRequest? {
        let maker = maker(isOdd: false)
        func plain(_ id: String, _ user: Int?, _ body: JSONValue?) -> FuzzRequest? {
            guard let operation = contract.operations.first(where: { $0.id == id }) else { return nil }
            var request = maker.request(operation, by: user, &generator)
            if let body { request.wire.body = JSONText.plain(body) }
            return request
        }
        func user(_ index: Int) -> Int? { world.users.isEmpty ? nil : index % world.users.count }
        let code: JSONValue? = world.rooms.first?.inviteCode.map { .string($0) }
        switch step {
        case 0..<5: return plain("createGuest", nil, ["nickname": .string("Guest \(step)")])
        case 5:
            let visibility = generator.pick(["public", "private"])
            return plain("openRoom", user(0), ["name": "Fuzz", "visibility": .string(visibility)])
        case 6..<10:
            let members =
                [JSONMember(name: "role", value: "bidder")] + (code.map { [JSONMember(name: "inviteCode", value: $0)] } ?? [])
            return plain("joinRoom", user(step - 5), .object(members))
        case 10:
            var request = plain("changeMember", user(0), ["role": "auctioneer"])
            if let room = world.rooms.first, let owner = user(1) {
                request?.wire.target = "/v1/rooms/\(room.id)/members/\(world.users[owner].id)"
            }
            return request
        case 11: return plain("uploadItem", user(1), nil)
        case 12, 13: return plain("startAuction", user(0), [:])
        default: return nil
        }
    }

    func request(_ generator: inout SeededGenerator) -> FuzzRequest {
        let operation = generator.pick(Self.weighted(contract))
        return maker(isOdd: generator.once(in: 2)).request(operation, &generator)
    }

    func maker(isOdd: Bool) -> RequestMaker {
        RequestMaker(contract: contract, world: world, bodyLimit: serverOptions.http.limits.bodyBytes - 200, isOdd: isOdd)
    }

    /// Sends a command, or an invalid frame, over an open WebSocket.
    func message(_ generator: inout SeededGenerator) {
        let sockets = readers.filter { $0.stream.isWebSocket && $0.stream.isOpen }
        guard !sockets.isEmpty else {
            guard let operation = contract.operations.first(where: { $0.id == "openSocket" }) else { return }
            return send(maker(isOdd: false).request(operation, &generator))
        }
        let reader = generator.pick(sockets)
        if generator.once(in: 12) { return send(ClientFrames.odd(&generator), [], over: reader) }
        let type = generator.pick(ClientFrames.operations)
        let operation = contract.operations.first { $0.id == type }
        let isOdd = generator.once(in: 2)
        let payload = command(type, operation, reader, isOdd: isOdd, &generator)
        send(ClientFrames.text(payload, &generator), payload, over: reader)
    }

    private func command(
        _ type: String, _ operation: Contract.Operation?, _ reader: StreamReader, isOdd: Bool,
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        let maker = maker(isOdd: isOdd)
        let id = isOdd && generator.once(in: 8) ? generator.pick(OddValues.texts) : "c\(step)"
        var members = [JSONMember(name: "id", value: .string(id)), JSONMember(name: "type", value: .string(type))]
        if generator.once(in: 3) { members.append(JSONMember(name: "key", value: .string("k\(generator.roll(1...5))"))) }
        if let name = Self.idMember(of: operation) {
            let known = world.knownIDs(name)
            members.append(JSONMember(name: name, value: .string(known.isEmpty ? "none" : generator.pick(known))))
        }
        if type.hasSuffix("Seat") { members.append(JSONMember(name: "seat", value: .number("\(generator.roll(0...9))"))) }
        if type == "retractBid" { members.append(JSONMember(name: "reason", value: "a slip")) }
        if let operation, let schema = operation.node.at("requestBody.content")?["application/json"]?["schema"] {
            members += maker.bodyValue(schema, operation, reader.room, &generator).members ?? []
        }
        // The acknowledgement has no id if the frame repeats the member or is too malformed.
        reader.commands[id] = .some(operation)
        var value = JSONValue.object(members)
        guard isOdd else { return JSONText.plain(value) }
        if generator.once(in: 2) {
            value = JSONMutation.mutate(value, bytes: serverOptions.streams.messageBytes - 200, &generator)
            // Its acknowledgement may now have the id of an earlier command of another type.
            if let other = value["id"]?.text, other != id { reader.commands[other] = nil }
        }
        return JSONText.odd(value, &generator)
    }

    private func send(_ bytes: [UInt8], _ payload: [UInt8], over reader: StreamReader) {
        let text = String(decoding: payload.prefix(400), as: UTF8.self).debugDescription
        let what = payload.isEmpty ? "\(bytes.count) B \(bytes.prefix(40))" : "\(payload.count) B \(text)"
        note("\(reader.user.map { "user \($0)" } ?? "a stranger") sends over a WebSocket: \(what)")
        report.requests += 1
        let before = FuzzBudget.spent()
        options.bug?.receive(payload)
        reader.stream.receive(bytes)
        settle()
        let spent = FuzzBudget.spent() - before
        check(spent, bytes: bytes.count + readStreams(), what)
    }

    /// Advances the clock, mostly to about the next deadline.
    func advance(_ generator: inout SeededGenerator) {
        let due = server.millisecondsUntilDue ?? 1000
        let choices: [Int64] = [
            0, 1, 500, 3000, due - 1, due, due + 1, 5000, 15_000, 31_000, 61_000, 600_000, 90_000_000, 8 * 86_400_000,
        ]
        advance(milliseconds: max(0, min(generator.pick(choices), 8 * 86_400_000)))
    }

    func advance(milliseconds: Int64) {
        note("\(milliseconds) ms pass")
        var left = milliseconds
        // A Dutch price may drop a million times in a week, so the number of deadlines per step is limited.
        for _ in 0..<200 where report.findings.isEmpty {
            let wait = min(left, server.millisecondsUntilDue ?? left)
            clock.advance(milliseconds: wait)
            left -= wait
            let before = FuzzBudget.spent()
            settle()
            let spent = FuzzBudget.spent() - before
            check(spent, bytes: budget.largeBytes + readStreams(), "time passes")
            for reader in readers where reader.stream.deadline <= UInt64(clock.now().monotonic / 1_000_000) {
                reader.stream.tick()
            }
            guard left > 0 else { break }
        }
        for _ in 0..<(milliseconds >= 60_000 ? 60 : milliseconds >= 10_000 ? 10 : 1) { server.runHousekeeping() }
        settle()
    }

    /// Sets the wall clock forward or back; the monotonic clock goes on.
    func setWallClock(_ generator: inout SeededGenerator) {
        let milliseconds = generator.pick([-3_600_000, -1000, -1, 1001, 3_600_000, 90_000_000])
        note("the wall clock changes by \(milliseconds) ms")
        clock.setWall(clock.now().wall.advanced(byMilliseconds: Int64(milliseconds)))
        settle()
    }

    func disturbStream(_ generator: inout SeededGenerator) {
        guard !readers.isEmpty else { return }
        let reader = generator.pick(readers)
        switch generator.roll(0...2) {
        case 0:
            note("a stream's client hangs up")
            reader.stream.hangUp()
        case 1:
            note("a stream's client reads no more")
            reader.stream.isReading = false
        default:
            note("a stream's client reads again")
            reader.stream.isReading = true
        }
        settle()
    }

    func hangUp() {
        guard let held = pending.min(by: { $0.key < $1.key }) else { return }
        note("the client of the request pending since step \(held.value.step) disconnects")
        if server.hangUp(held.value.exchange) { pending[held.key] = nil }
        settle()
    }

    /// Sends a request with a damaged target, which the contract mostly does not describe.
    func damaged(_ generator: inout SeededGenerator) {
        let operation = generator.pick(contract.operations)
        var request = maker(isOdd: true).request(operation, &generator)
        request.wire.target = String(
            decoding: JSONText.damaged(Array(request.wire.target.utf8), &generator).filter { $0 != 0 }, as: UTF8.self)
        // The target must be in origin form: other forms are rejected before they reach this code.
        if request.wire.target.utf8.first != UInt8(ascii: "/") { request.wire.target = "/" + request.wire.target }
        request.operation = contract.operation(request.wire.method, request.wire.target)
        send(request)
    }

    private static func weighted(_ contract: Contract) -> [Contract.Operation] {
        contract.operations.flatMap { Array(repeating: $0, count: weights[$0.id] ?? 2) }
    }

    /// The member of a frame that names what the command is about; nil if there is none, and for the number of a seat.
    private static func idMember(of operation: Contract.Operation?) -> String? {
        let names = operation?.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        return names?.last { $0 != "id" && $0 != "seat" }
    }

    private static let weights = [
        "placeBid": 16, "uploadItem": 8, "startAuction": 8, "adjustRules": 4, "readEvents": 8, "openSocket": 3, "openRoom": 3,
        "joinRoom": 4, "retractBid": 4, "readRoom": 4, "sendMessage": 4, "readPermissions": 4, "changeMember": 4,
        "requestStage": 4,
        "readContract": 0, "readStreamContract": 0, "readMetrics": 1, "archiveRoom": 1, "kick": 1, "leaveRoom": 1,
        // Its user is gone for the rest of the run.
        "leaveForGood": 1,
        // The server has no token of an operator's: these paths do not exist.
        "createServiceToken": 1, "listServiceTokens": 0, "revokeServiceToken": 1, "signInUser": 0, "listAudit": 0,
        "readFeed": 1, "revokeUserTokens": 0, "banUser": 0, "unbanUser": 0, "listAllRooms": 0, "readAnyRoom": 0,
    ]
}
