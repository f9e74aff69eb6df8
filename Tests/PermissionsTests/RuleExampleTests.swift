import Permissions
import Testing

struct RuleExampleTests {
    private func center(_ examples: [RuleExample<Int>]) throws -> PermissionCenter<String, Int> {
        let big = PermissionRule<String, Int>(
            id: "big", action: "enter", priority: 9, category: .amount, isPermanent: true,
            description: LocalizedText("big", "大"), examples: examples
        ) { $0 > 10 ? DenialReason(LocalizedText("too big", "过大")) : nil }
        let odd = PermissionRule<String, Int>(
            id: "odd", action: "enter", priority: 5, category: .amount, isPermanent: true,
            description: LocalizedText("odd", "奇")
        ) { $0 % 2 == 1 ? DenialReason(LocalizedText("odd", "奇数")) : nil }
        return try PermissionCenter(rules: [big, odd])
    }

    private func failures(_ examples: RuleExample<Int>...) throws -> [String] {
        try center(examples).failedExamples { _ in .default }.map(\.found)
    }

    @Test func `examples that hold produce no failures`() throws {
        #expect(try failures(.denied("Eleven is too big.") { 11 }, .allowed("Ten is not.") { 10 }).isEmpty)
    }

    @Test func `an example that is allowed although it should be denied is reported`() throws {
        #expect(try failures(.denied("Ten is too big.") { 10 }) == ["allowed"])
    }

    @Test func `an example that another rule denies fails whether it expects a denial or not`() throws {
        #expect(try failures(.denied("Nine is too big.") { 9 }, .allowed("Nine is fine.") { 9 }).count == 2)
        #expect(try failures(.allowed("Nine is fine.") { 9 }) == ["refused by odd"])
    }

    @Test func `replacing the examples of a rule keeps its other properties`() throws {
        let rule = try #require(try center([])["big"])
        let shown = rule.with(examples: [.allowed("One is small.") { 1 }])
        #expect(shown.id == rule.id && shown.priority == rule.priority && shown.isPermanent == rule.isPermanent)
        #expect(shown.denial(11) == rule.denial(11))
        #expect(shown.examples.map(\.sentence) == ["One is small."])
    }
}
