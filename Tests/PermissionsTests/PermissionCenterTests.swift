import Permissions
import Testing

private enum Step: UInt8, PermissionAction {
    case enter, leave

    var number: UInt8 { rawValue }
}

struct PermissionCenterTests {
    private typealias Center = PermissionCenter<Step, Int>

    private static func rule(
        _ id: String, priority: Int, permanent: Bool = false, enabled: Bool = true, denies: @escaping @Sendable (Int) -> Bool
    ) -> PermissionRule<Step, Int> {
        PermissionRule(
            id: id, action: .enter, priority: priority, category: .state, isPermanent: permanent,
            isEnabledByDefault: enabled, description: LocalizedText(id, id), denies: denies
        ) { DenialReason(LocalizedText("no: \(id)", id), required: "r", actual: "\($0)") }
    }

    private func center() throws -> Center {
        try Center(rules: [
            Self.rule("low", priority: 1) { $0 > 1 },
            Self.rule("high", priority: 9, permanent: true) { $0 > 5 },
            Self.rule("optional", priority: 5, enabled: false) { $0 > 0 },
        ])
    }

    @Test func `the denial of highest priority decides`() throws {
        let denial = try #require(try center().denial(of: .enter, in: 10))
        #expect(denial.rule == "high")
        #expect(denial.reason.required == "r")
        #expect(denial.reason.actual == "10")
        #expect(try center().denial(of: .enter, in: 3)?.rule == "low")
    }

    @Test func `an action that no rule denies is allowed`() throws {
        #expect(try center().denial(of: .enter, in: 1) == nil)
        #expect(try center().denial(of: .leave, in: 10) == nil)
    }

    @Test func `an optional rule is evaluated only if the configuration enables it`() throws {
        let on = RuleConfiguration(enabled: ["optional": true])
        #expect(try center().denial(of: .enter, in: 1, configuration: on)?.rule == "optional")
    }

    @Test func `a rule can be disabled unless it is permanent`() throws {
        let off = RuleConfiguration(enabled: ["low": false, "high": false])
        #expect(try center().denial(of: .enter, in: 3, configuration: off) == nil)
        #expect(try center().denial(of: .enter, in: 10, configuration: off)?.rule == "high")
    }

    @Test func `a configured priority changes which rule denies first`() throws {
        let moved = RuleConfiguration(priorities: ["low": 100])
        let denial = try #require(try center().denial(of: .enter, in: 10, configuration: moved))
        #expect(denial.rule == "low")
        #expect(denial.priority == 100)
    }

    @Test(arguments: [0, 1, 5, 9, 1000], [0, 1, 5, 9, 1000])
    func `with any configuration the first denial of the explanation decides`(low: Int, optional: Int) throws {
        let center = try center()
        for isOn in [true, false] {
            let configuration = RuleConfiguration(
                enabled: ["optional": isOn], priorities: ["low": low, "optional": optional])
            for context in [0, 1, 3, 10] {
                let first = center.explain(.enter, in: context, configuration: configuration).first { entry in
                    if case .denied = entry.verdict { true } else { false }
                }
                let denial = center.denial(of: .enter, in: context, configuration: configuration)
                #expect(denial?.rule == first?.rule)
                #expect(denial?.priority == first?.priority)
            }
        }
    }

    @Test func `rules are listed in the order of evaluation under a configuration`() throws {
        let moved = RuleConfiguration(priorities: ["low": 100])
        #expect(try center().rules(configuration: .default).map(\.id) == ["high", "optional", "low"])
        #expect(try center().rules(configuration: moved).map(\.id) == ["low", "high", "optional"])
    }

    @Test func `a rule is found by its id`() throws {
        #expect(try center()["high"]?.priority == 9)
        #expect(try center()["unheard of"] == nil)
    }

    @Test func `an explanation names every rule in order with its verdict`() throws {
        let trace = try center().explain(.enter, in: 3)
        #expect(trace.map(\.rule) == ["high", "optional", "low"])
        #expect(
            trace.map(\.verdict) == [
                .passed, .disabled, .denied(DenialReason(LocalizedText("no: low", "low"), required: "r", actual: "3")),
            ])
    }

    @Test func `two rules with the same id are rejected`() {
        #expect(throws: DuplicateRule.self) {
            try Center(rules: [Self.rule("a", priority: 1) { _ in true }, Self.rule("a", priority: 2) { _ in true }])
        }
    }
}
