import AuctionDomain
import AuctionService
import AuctionTestKit
import Permissions
import Testing

struct PermissionMatrixTests {
    @Test(arguments: PermissionTable.Situation.allCases)
    func `everybody may what the specification says, and is refused by the rule it names`(
        situation: PermissionTable.Situation
    ) throws {
        let scene = try PermissionScene(situation)
        let rulebook = scene.scenario.manager.rulebook
        for cell in try PermissionTable.specified().cells where cell.situation == situation {
            let context = RuleContext(
                room: scene.scenario.room, rulebook: rulebook, caller: scene.person(cell.asker).id,
                at: scene.scenario.instant)
            let found = rulebook.denial(of: cell.action, in: context)?.rule
            #expect(found == cell.rule, "\(cell.action.rawValue) by \(cell.asker) in \(situation)")
        }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `a configured room decides like any other where the rules are the same`(situation: PermissionTable.Situation) throws {
        var room = try PermissionScene(situation).scenario.room
        let plain = try PermissionScene(situation)
        let host = plain.scenario.host
        // Off it was before and first it would never be, so that only the way of deciding differs.
        let change = PermissionChange(rule: OptionalRule.newMember, isEnabled: false, priority: 1, by: host)
        _ = room.record([.permissionChanged(change)], at: plain.scenario.instant)
        #expect(!room.configuration.isDefault)
        let rulebook = plain.scenario.manager.rulebook
        for asker in PermissionTable.Asker.allCases {
            for action in RoomAction.allCases {
                let decisions = [plain.scenario.room, room].map { room in
                    rulebook.denial(
                        of: action,
                        in: RuleContext(
                            room: room, rulebook: rulebook, caller: plain.person(asker).id, at: plain.scenario.instant))
                }
                #expect(decisions[0] == decisions[1], "\(action.rawValue) by \(asker)")
            }
        }
    }

    @Test func `what the service shows as allowed is what the table allows`() throws {
        let scene = try PermissionScene(.open)
        let rulebook = scene.scenario.manager.rulebook
        let table = try PermissionTable.specified()
        for asker in PermissionTable.Asker.allCases {
            let specified = table.cells.filter { $0.asker == asker && $0.situation == .open && $0.rule == nil }.map(\.action)
            let shown = rulebook.allowedActions(
                of: scene.person(asker).id, in: scene.scenario.room, at: scene.scenario.instant)
            #expect(Set(shown) == Set(specified), "\(asker)")
        }
    }
}
