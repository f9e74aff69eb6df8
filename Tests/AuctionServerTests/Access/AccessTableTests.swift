import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Every cell of the access table by real requests, and by frames where there are some: whoever may, can; whoever may not is refused
/// with exactly the status and the code of the cell, and nothing has changed.
struct AccessTableTests {
    /// A server and one situation in it.
    private struct Stand {
        let house: House
        let cast: AccessCast
        let situation: AccessTable.Situation
        let place: AccessTable.Place
        let other: AccessScene
        let operations: [String: Contract.Operation]
        let doors: [AccessTable.Asker: AccessTable.Cell]

        init(_ situation: AccessTable.Situation, _ place: AccessTable.Place) throws {
            house = try House {
                $0.limits.roomsPerUser = 0
                $0.metricsToken = "the operator's own token"
            }
            cast = try AccessCast(house)
            (self.situation, self.place) = (situation, place)
            other = try AccessScene(other: house, cast, situation)
            let contract = try Contract.shared.get()
            operations = Dictionary(uniqueKeysWithValues: contract.operations.map { ($0.id, $0) })
            let shown: AccessTable.Place = place == .private ? .private : .public
            let doors = try AccessTable.specified().cells.filter { $0.operation == "openSocket" && $0.place == shown }
            self.doors = Dictionary(uniqueKeysWithValues: doors.map { ($0.asker, $0) })
        }

        func cells() throws -> [AccessTable.Cell] {
            try AccessTable.specified().cells.filter { $0.situation == situation && $0.place == place }
        }

        func room() throws -> AccessScene { try AccessScene(house, cast, situation, isPrivate: place == .private) }

        private func call(_ cell: AccessTable.Cell, in room: AccessScene) throws -> AccessCall {
            AccessCall(try #require(operations[cell.operation]), in: room, of: place == .there ? other : room)
        }

        func hasFrame(_ cell: AccessTable.Cell) -> Bool { AccessCall.frames[cell.operation] != nil }

        func meetByHTTP(_ cell: AccessTable.Cell, in room: AccessScene) throws {
            let call = try call(cell, in: room)
            let what = "\(cell.operation) by \(cell.asker) in \(place)"
            guard cell.operation != "openSocket" else {
                let reader = try socket(cell, room)
                #expect(reader.status == cell.status, "\(what)")
                #expect(try cell.code == nil || reader.problemCode() == cell.code, "\(what)")
                return
            }
            let answer = try house.call(call.method, call.path, call.body, by: cast.guests[cell.asker])
            #expect(answer.status == cell.status, "\(what): \(answer.bodyText)")
            #expect(answer.code == cell.code, "\(what)")
        }

        /// The same by a frame; where the asker gets no socket, they are told so at the door.
        func meetBySocket(_ cell: AccessTable.Cell, in room: AccessScene) throws {
            let what = "\(cell.operation) by \(cell.asker) in \(place), by WebSocket"
            let door = try #require(doors[cell.asker])
            let reader = try socket(cell, room)
            #expect(reader.status == door.status, "\(what)")
            guard door.code == nil else {
                #expect(try reader.problemCode() == door.code, "\(what)")
                return
            }
            try reader.sendText(try #require(try call(cell, in: room).frame))
            var item = try reader.next()
            while let current = item, current.data["ack"] == nil { item = try reader.next() }
            let ack = try #require(item?.data, "\(what)")
            #expect(ack.int("problem.status") ?? ack.int("status") == cell.status, "\(what): \(ack.written)")
            #expect(ack.text("problem.code") == cell.code, "\(what)")
        }

        private func socket(_ cell: AccessTable.Cell, _ room: AccessScene) throws -> SocketReader {
            try SocketReader(path: room.path, port: house.server.port, "?after=latest", by: cast.guests[cell.asker])
        }
    }

    @Test func `the table is about every operation of the contract, and about no other`() throws {
        let described = Set(try Contract.shared.get().operations.map(\.id))
        let known = try AccessTable.specified().operations
        #expect(described.subtracting(known).sorted() == [], "in the contract, not in the table")
        #expect(known.subtracting(described).sorted() == [], "in the table, not in the contract")
    }

    @Test func `the walk knows every command that a WebSocket takes`() throws {
        let scene = try Scene()
        let socket = try SocketReader(scene, "?after=latest")
        try socket.sendText(#"{"id":"c1","type":"fly"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        let detail = try #require(item?.data.text("problem.detail"))
        for type in AccessCall.frames.values { #expect(detail.contains(type), "\(type)") }
        #expect(detail.split(separator: ",").count == AccessCall.frames.count)
    }

    @Test func `a hidden room and one that is not there are answered alike, by every operation and down to the headers`() throws
    {
        for situation in AccessTable.Situation.allCases {
            let stand = try Stand(situation, .private)
            let room = try stand.room()
            for cell in try stand.cells() where cell.asker == .stranger && cell.operation != "openSocket" {
                let call = try AccessCall(#require(stand.operations[cell.operation]), in: room, of: room)
                let stranger = try stand.cast.guest(.stranger)
                let answers = try [room.path, "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"].map { path in
                    let asked = call.path.replacing(room.path, with: path)
                    return try stand.house.call(call.method, asked, call.body, by: stranger, [("X-Request-Id", "r")])
                }
                let bodies = zip(answers, [room.path, "/v1/rooms/room_7zzzzzzzzzzzzzzzzzzzzzzzzz"]).map { answer, path in
                    answer.bodyText.replacing(path, with: "").replacing(/"(receivedAt|serverTime)":"[^"]*"/, with: "")
                }
                #expect(answers[0].status == 404 && bodies[0] == bodies[1], "\(cell.operation): \(bodies)")
                let headers = answers.map {
                    $0.headers.filter { $0.name != "Content-Length" && $0.name != "Date" }.map { "\($0)" }
                }
                #expect(headers[0] == headers[1], "\(cell.operation)")
            }
        }
    }

    @Test(arguments: AccessTable.Situation.allCases, AccessTable.Place.allCases)
    func `whoever may not is refused as the specification says, and nothing happens`(
        situation: AccessTable.Situation, place: AccessTable.Place
    ) throws {
        let stand = try Stand(situation, place)
        let refused = try stand.cells().filter { $0.code != nil }
        guard !refused.isEmpty else { return }
        let room = try stand.room()
        let before = (try room.seq(), try stand.other.seq())
        for cell in refused {
            try stand.meetByHTTP(cell, in: room)
            if stand.hasFrame(cell) { try stand.meetBySocket(cell, in: room) }
        }
        #expect(try (room.seq(), stand.other.seq()) == before)
    }

    @Test(arguments: AccessTable.Situation.allCases, AccessTable.Place.allCases)
    func `whoever may, can`(situation: AccessTable.Situation, place: AccessTable.Place) throws {
        let stand = try Stand(situation, place)
        let allowed = try stand.cells().filter { $0.code == nil }
        guard !allowed.isEmpty else { return }
        let shown = try stand.room()
        for cell in allowed {
            // What is only read leaves the room as it is; everything else gets one of its own.
            let isRead = stand.operations[cell.operation]?.method == "GET" || situation == .nowhere
            try stand.meetByHTTP(cell, in: isRead ? shown : stand.room())
            if stand.hasFrame(cell) { try stand.meetBySocket(cell, in: stand.room()) }
        }
    }
}
