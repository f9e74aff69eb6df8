import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Every cell of the access table by real requests, and by WebSocket frames where possible: allowed users succeed; others are refused
/// with exactly the status and code of the cell, and the room does not change.
struct AccessTableTests {
    /// A server with its rooms in one situation of the table.
    private struct SituationContext {
        let server: TestServer
        let users: AccessUsers
        let situation: AccessTable.Situation
        let place: AccessTable.Place
        let other: TableRoom
        let operations: [String: Contract.Operation]
        let handshakes: [AccessTable.CallerKind: AccessTable.Cell]

        init(_ situation: AccessTable.Situation, _ place: AccessTable.Place) throws {
            let voice = try VoiceFixture.options()
            server = try TestServer {
                $0.voice = voice
                $0.limits.roomsPerUser = 0
                $0.metricsToken = "the operator's own token"
                $0.adminToken = OperatorFixture.adminToken
            }
            users = try AccessUsers(server)
            (self.situation, self.place) = (situation, place)
            other = try TableRoom(server, users.others, situation, queuesLot: true)
            let contract = try Contract.shared.get()
            operations = Dictionary(uniqueKeysWithValues: contract.operations.map { ($0.id, $0) })
            let shown: AccessTable.Place = place == .private ? .private : .public
            let handshakes = try AccessTable.specified().cells.filter { $0.operation == "openSocket" && $0.place == shown }
            self.handshakes = Dictionary(uniqueKeysWithValues: handshakes.map { ($0.callerKind, $0) })
        }

        func cells() throws -> [AccessTable.Cell] {
            try AccessTable.specified().cells.filter { $0.situation == situation && $0.place == place }
        }

        func room() throws -> TableRoom {
            try TableRoom(
                server, users.users, situation, isPrivate: place == .private, kicked: users.kicked, queuesLot: true)
        }

        private func call(_ cell: AccessTable.Cell, in room: TableRoom) throws -> AccessCall {
            AccessCall(
                try #require(operations[cell.operation]), in: room.path, (place == .there ? other : room).ids,
                hasReason: cell.callerKind == .operator)
        }

        func hasFrame(_ cell: AccessTable.Cell) -> Bool { AccessCall.frames.contains(cell.operation) }

        func checkHTTP(_ cell: AccessTable.Cell, in room: TableRoom) throws {
            let call = try call(cell, in: room)
            let what = "\(cell.operation) by \(cell.callerKind) in \(place)"
            guard cell.operation != "openSocket" else {
                let reader = try socket(cell, room)
                #expect(reader.status == cell.status, "\(what)")
                #expect(try cell.code == nil || reader.problemCode() == cell.code, "\(what)")
                return
            }
            let response = try server.call(call.method, call.path, call.body, by: users.guest(cell.callerKind), call.headers)
            #expect(response.status == cell.status, "\(what): \(response.bodyText)")
            // A success may have a member of that name, such as the code for another device.
            #expect((response.status < 400 ? nil : response.code) == cell.code, "\(what)")
        }

        /// Checks the cell by a WebSocket frame; if the handshake is refused to the user, checks that refusal instead.
        func checkWebSocket(_ cell: AccessTable.Cell, in room: TableRoom) throws {
            let what = "\(cell.operation) by \(cell.callerKind) in \(place), by WebSocket"
            let handshake = try #require(handshakes[cell.callerKind])
            let reader = try socket(cell, room)
            #expect(reader.status == handshake.status, "\(what)")
            guard handshake.code == nil else {
                #expect(try reader.problemCode() == handshake.code, "\(what)")
                return
            }
            let stream = try StreamContract.shared.get()
            let frame = try #require(try call(cell, in: room).frame)
            #expect(stream.kinds(of: frame, on: "socket") == [cell.operation], "\(what)")
            try reader.sendText(frame.written)
            var item = try reader.next()
            while let current = item, current.data["ack"] == nil {
                #expect([["event"], ["notice"]].contains(stream.kinds(of: current.data, on: "socket")), "\(what)")
                item = try reader.next()
            }
            let ack = try #require(item?.data, "\(what)")
            #expect(stream.kinds(of: ack, on: "socket") == [cell.code == nil ? "done" : "refused"], "\(what)")
            #expect(ack.int("problem.status") ?? ack.int("status") == cell.status, "\(what): \(ack.written)")
            #expect(ack.text("problem.code") == cell.code, "\(what)")
        }

        private func socket(_ cell: AccessTable.Cell, _ room: TableRoom) throws -> SocketReader {
            try SocketReader(
                path: room.path, port: server.auctionServer.port, "?after=latest", by: users.guest(cell.callerKind))
        }
    }

    @Test func `the table has exactly the operations of the contract`() throws {
        let described = Set(try Contract.shared.get().operations.map(\.id))
        let known = try AccessTable.specified().operations
        #expect(described.subtracting(known).sorted() == [], "in the contract, not in the table")
        #expect(known.subtracting(described).sorted() == [], "in the table, not in the contract")
    }

    @Test func `the test covers every WebSocket command`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest")
        try socket.sendText(#"{"id":"c1","type":"fly"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        let detail = try #require(item?.data.text("problem.detail"))
        for type in AccessCall.frames { #expect(detail.contains(type), "\(type)") }
        #expect(detail.split(separator: ",").count == AccessCall.frames.count)
    }

    @Test func `every operation responds equally for a hidden and a missing room, including headers`() throws {
        for situation in AccessTable.Situation.allCases {
            let context = try SituationContext(situation, .private)
            let room = try context.room()
            for cell in try context.cells() where cell.callerKind == .stranger && cell.operation != "openSocket" {
                let call = try AccessCall(#require(context.operations[cell.operation]), in: room.path, room.ids)
                let stranger = context.users.guest(.stranger)
                let responses = try [room.path, "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"].map { path in
                    let asked = call.path.replacing(room.path, with: path)
                    return try context.server.call(
                        call.method, asked, call.body, by: stranger, call.headers + [("X-Request-Id", "r")])
                }
                let bodies = zip(responses, [room.path, "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"]).map { response, path in
                    response.bodyText.replacing(path, with: "").replacing(/"(receivedAt|serverTime)":"[^"]*"/, with: "")
                }
                #expect(responses[0].status == 404 && bodies[0] == bodies[1], "\(cell.operation): \(bodies)")
                let headers = responses.map {
                    $0.headers.filter { $0.name != "Content-Length" && $0.name != "Date" }.map { "\($0)" }
                }
                #expect(headers[0] == headers[1], "\(cell.operation)")
            }
        }
    }

    @Test(arguments: AccessTable.Situation.allCases, AccessTable.Place.allCases)
    func `users without access are refused as specified, and the room does not change`(
        situation: AccessTable.Situation, place: AccessTable.Place
    ) throws {
        let context = try SituationContext(situation, place)
        let refused = try context.cells().filter { $0.code != nil }
        guard !refused.isEmpty else { return }
        let room = try context.room()
        let before = (try room.seq(), try context.other.seq())
        for cell in refused {
            try context.checkHTTP(cell, in: room)
            if context.hasFrame(cell) { try context.checkWebSocket(cell, in: room) }
        }
        #expect(try (room.seq(), context.other.seq()) == before)
    }

    @Test(arguments: AccessTable.Situation.allCases, AccessTable.Place.allCases)
    func `users with access succeed`(situation: AccessTable.Situation, place: AccessTable.Place) throws {
        let context = try SituationContext(situation, place)
        let allowed = try context.cells().filter { $0.code == nil }
        guard !allowed.isEmpty else { return }
        let shown = try context.room()
        for cell in allowed {
            // Reads share one room; every other operation changes its room and gets a new one.
            let isRead = context.operations[cell.operation]?.method == "GET" || situation == .nowhere
            try context.checkHTTP(cell, in: isRead ? shown : context.room())
            if context.hasFrame(cell) { try context.checkWebSocket(cell, in: context.room()) }
        }
    }
}
