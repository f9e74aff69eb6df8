import AuctionDomain
import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Every cell of the specification's permission table by real requests: allowed users succeed, others are refused by the cell's rule.
struct PermissionTableTests {
    private static func server() throws -> TestServer { try TestServer { $0.limits.roomsPerUser = 0 } }

    private func cells(_ situation: PermissionTable.Situation) throws -> [PermissionTable.Cell] {
        try PermissionTable.specified().cells.filter { $0.situation == situation }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `queried permissions match the specification`(situation: PermissionTable.Situation) throws {
        let server = try Self.server()
        let fixture = try TableRoom(server, TableUsers(server), .init(situation))
        for callerKind in PermissionTable.CallerKind.allCases {
            let response = try fixture.read("/permissions", by: callerKind)
            let allowed = try fixture.read("", by: callerKind).texts("allowedActions")
            for cell in try cells(situation) where cell.callerKind == callerKind {
                let entry = response.list("permissions").first { $0.text("action") == cell.action.rawValue }
                #expect(entry?.text("denial.rule") == cell.rule, "\(cell.action) by \(callerKind) while \(situation)")
                #expect(allowed.contains(cell.action.rawValue) == (cell.rule == nil), "\(cell.action) by \(callerKind)")
            }
        }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `users without permission are refused, and the room does not change`(situation: PermissionTable.Situation) throws {
        let server = try Self.server()
        let fixture = try TableRoom(server, TableUsers(server), .init(situation))
        let before = try fixture.read("", by: .host).seq
        // A request that names what is not there is refused before any rule.
        let missing: [RoomAction: String] = [.answerOffer: "offer.not_found", .withdrawAbsenteeBid: "absentee.not_found"]
        for cell in try cells(situation) where cell.rule != nil {
            let response = try fixture.perform(cell.action, by: cell.callerKind)
            if let code = missing[cell.action] {
                #expect(response.code == code, "\(cell.action) by \(cell.callerKind) while \(situation)")
                continue
            }
            #expect(response.code == cell.rule, "\(cell.action) by \(cell.callerKind) while \(situation)")
            #expect(response.text("permission.action") == cell.action.rawValue)
        }
        #expect(try fixture.read("", by: .host).seq == before)
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `users with permission succeed`(situation: PermissionTable.Situation) throws {
        let server = try Self.server()
        let users = try TableUsers(server)
        for cell in try cells(situation) where cell.rule == nil {
            // A new room for each cell, because an allowed action changes its room.
            let response = try TableRoom(server, users, .init(situation)).perform(cell.action, by: cell.callerKind)
            if situation == .empty, cell.action == .adjustRules {
                #expect(response.code == "item.not_found", "allowed, but there is no item to adjust")
            } else if situation != .closed, cell.action == .voidResult {
                #expect(response.code == "result.not_found", "allowed, but there is no sale to void")
            } else {
                #expect(
                    (200..<300).contains(response.status),
                    "\(cell.action) by \(cell.callerKind) while \(situation): \(response.bodyText)")
            }
        }
    }

    /// The table of the other formats: queried, and executed in the cells that differ from the general table.
    @Test(arguments: PermissionTable.formats.filter { $0 != .english }, PermissionTable.Situation.allCases)
    func `permissions in every format match the specification`(
        format: AuctionFormatName, situation: PermissionTable.Situation
    ) throws {
        guard PermissionTable.situations(of: format).contains(situation) else { return }
        let server = try Self.server()
        let users = try TableUsers(server)
        let fixture = try TableRoom(server, users, .init(situation), format: format)
        let general = Set(try PermissionTable.specified().cells)
        for cell in try PermissionTable.specified(for: format).cells where cell.situation == situation {
            let question = "/permissions?action=\(cell.action.rawValue)"
            let response = try fixture.read(question, by: cell.callerKind)
            #expect(response.text("denial.rule") == cell.rule, "\(cell.action) by \(cell.callerKind) while \(situation)")
            guard !general.contains(cell) else { continue }
            let done = try TableRoom(server, users, .init(situation), format: format).perform(cell.action, by: cell.callerKind)
            #expect((200..<300).contains(done.status) == (cell.rule == nil), "\(done.bodyText)")
        }
    }
}
