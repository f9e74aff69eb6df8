import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct PermissionMatrixTests {
    @Test(arguments: PermissionTable.formats, PermissionTable.Situation.allCases)
    func `every caller is allowed or refused by the rule in the specification`(
        format: AuctionFormatName, situation: PermissionTable.Situation
    ) throws {
        guard PermissionTable.situations(of: format).contains(situation) else { return }
        let fixture = try PermissionFixture(situation, format: format)
        let rulebook = fixture.scenario.manager.rulebook
        for cell in try PermissionTable.specified(for: format).cells where cell.situation == situation {
            let context = RuleContext(
                room: fixture.scenario.room, rulebook: rulebook, caller: fixture.person(cell.callerKind).id,
                at: fixture.scenario.instant)
            let found = rulebook.denial(of: cell.action, in: context)?.rule
            #expect(found == cell.rule, "\(cell.action.rawValue) by \(cell.callerKind) in \(situation), \(format)")
        }
    }

    @Test(arguments: PermissionTable.Situation.allCases)
    func `a configuration without effect does not change decisions`(situation: PermissionTable.Situation) throws {
        var room = try PermissionFixture(situation).scenario.room
        let plain = try PermissionFixture(situation)
        let host = plain.scenario.host
        // The rule is disabled by default and keeps a low priority, so only the evaluation path of configured rooms differs.
        let change = PermissionChange(rule: OptionalRule.newMember, isEnabled: false, priority: 1, by: host)
        _ = room.record([.permissionChanged(change)], at: plain.scenario.instant)
        #expect(!room.configuration.isDefault)
        let rulebook = plain.scenario.manager.rulebook
        for callerKind in PermissionTable.CallerKind.allCases {
            for action in RoomAction.allCases {
                let decisions = [plain.scenario.room, room].map { room in
                    rulebook.denial(
                        of: action,
                        in: RuleContext(
                            room: room, rulebook: rulebook, caller: plain.person(callerKind).id, at: plain.scenario.instant))
                }
                #expect(decisions[0] == decisions[1], "\(action.rawValue) by \(callerKind)")
            }
        }
    }

    @Test(arguments: PermissionTable.formats, PermissionTable.Situation.allCases)
    func `the allowed actions of a caller are those of the specified table`(
        format: AuctionFormatName, situation: PermissionTable.Situation
    ) throws {
        guard PermissionTable.situations(of: format).contains(situation) else { return }
        let fixture = try PermissionFixture(situation, format: format)
        let cells = try PermissionTable.specified(for: format).cells.filter { $0.situation == situation && $0.rule == nil }
        for callerKind in PermissionTable.CallerKind.allCases {
            let shown = fixture.scenario.manager.rulebook.allowedActions(
                of: fixture.person(callerKind).id, in: fixture.scenario.room, at: fixture.scenario.instant)
            #expect(Set(shown.inOrder) == Set(cells.filter { $0.callerKind == callerKind }.map(\.action)), "\(callerKind)")
        }
    }
}
