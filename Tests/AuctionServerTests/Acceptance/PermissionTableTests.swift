import AuctionDomain
import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// Every cell of the specification's table, by real requests: whoever may, can; whoever may not is told by the rule of the cell.
struct PermissionTableTests {
    private static func house() throws -> House { try House { $0.limits.roomsPerUser = 0 } }

    private func cells(_ situation: PermissionTable.Situation) throws -> [PermissionTable.Cell] {
        try PermissionTable.specified().cells.filter { $0.situation == situation }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `the server answers what it is asked as the specification says`(situation: PermissionTable.Situation) throws {
        let house = try Self.house()
        let scene = try TableScene(house, TableScene.Cast(house), situation)
        for asker in PermissionTable.Asker.allCases {
            let answer = try scene.call("GET", "/permissions", by: scene.guest(asker))
            let allowed = try scene.call("GET", "", by: scene.guest(asker)).texts("allowedActions")
            for cell in try cells(situation) where cell.asker == asker {
                let entry = answer.list("permissions").first { $0.text("action") == cell.action.rawValue }
                #expect(entry?.text("denial.rule") == cell.rule, "\(cell.action) by \(asker) while \(situation)")
                #expect(allowed.contains(cell.action.rawValue) == (cell.rule == nil), "\(cell.action) by \(asker)")
            }
        }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `whoever may not is refused, and nothing happens`(situation: PermissionTable.Situation) throws {
        let house = try Self.house()
        let scene = try TableScene(house, TableScene.Cast(house), situation)
        let before = try scene.call("GET", "", by: scene.guest(.host)).seq
        for cell in try cells(situation) where cell.rule != nil {
            let answer = try scene.perform(cell.action, by: cell.asker)
            #expect(answer.code == cell.rule, "\(cell.action) by \(cell.asker) while \(situation)")
            #expect(answer.text("permission.action") == cell.action.rawValue)
        }
        #expect(try scene.call("GET", "", by: scene.guest(.host)).seq == before)
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `whoever may, can`(situation: PermissionTable.Situation) throws {
        let house = try Self.house()
        let cast = try TableScene.Cast(house)
        for cell in try cells(situation) where cell.rule == nil {
            // A room of its own each time: what is allowed changes it.
            let answer = try TableScene(house, cast, situation).perform(cell.action, by: cell.asker)
            if situation == .empty, cell.action == .adjustRules {
                #expect(answer.code == "item.not_found", "allowed, but there is nothing to adjust")
            } else {
                #expect(
                    (200..<300).contains(answer.status),
                    "\(cell.action) by \(cell.asker) while \(situation): \(answer.bodyText)")
            }
        }
    }
}
