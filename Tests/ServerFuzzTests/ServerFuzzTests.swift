import ExactJSON
import HTTPContract
import Testing

@testable import ServerFuzz

/// A sample of `make fuzz-server`: fixed seeds, in this process.
struct ServerFuzzTests {
    @Test func `random requests cause no violation`() throws {
        let campaign = try FuzzCampaign()
        var statuses: [String: Int] = [:]
        // The requests pass the first checks, and are refused at each later one.
        let expected = ["placeBid 201", "placeBid 409", "uploadItem 400", "openSocket 101", "readEvents 200", "refused 400"]
        for seed in 1...UInt64(60) {
            // Every change of the contract changes which seeds get far.
            if seed > 12, expected.allSatisfy({ statuses[$0] != nil }) { break }
            let report = try campaign.run(FuzzOptions(seed: seed))
            #expect(report.findings.isEmpty, "seed \(seed)")
            statuses.merge(report.statuses, uniquingKeysWith: +)
        }
        for status in expected { #expect(statuses[status] != nil, "\(status) of \(statuses.keys.sorted())") }
    }

    @Test func `two runs with the same seed are identical`() throws {
        let contract = try Contract.shared.get()
        // A run ends with its first finding, and on a busy machine that may be a budget of time.
        let budget = FuzzBudget(small: 1_000_000_000, large: 1_000_000_000, largeBytes: 65536)
        let reports = try (1...2).map { _ in try FuzzRun(FuzzOptions(seed: 3), contract, budget).run() }
        #expect(reports[0].statuses == reports[1].statuses)
        #expect(reports.allSatisfy { $0.findings.isEmpty && $0.requests > 80 })
    }

    @Test func `requests name objects of each kind by ids that responses had`() throws {
        var prefixes: [String: String] = [:]
        for parameter in try Contract.shared.get().root.at("components.parameters")?.members ?? [] {
            guard parameter.value.text("in") == "path", let name = parameter.value.text("name"), name.hasSuffix("Id"),
                let example = parameter.value.text("example"), let end = example.firstIndex(of: "_")
            else { continue }
            prefixes[name] = String(example[..<end])
        }
        // Users are known with their tokens, and rules have fixed names.
        for name in ["userId", "ruleId"] { prefixes[name] = nil }
        #expect(prefixes == FuzzWorld.kinds)
    }

    /// Without the bugs that crash or hang the process: `fuzz-server --self-test` covers those.
    static let visible = PlantedBug.allCases.filter { $0.rule != .trap && $0.rule != .hang }

    /// Seeds that found a bug which few do; they are tried first.
    private static let findings: [PlantedBug: UInt64] = [.eventDropped: 13, .answerForgotten: 14]

    @Test(arguments: visible) func `a planted bug is detected`(bug: PlantedBug) throws {
        let campaign = try FuzzCampaign()
        for seed in [Self.findings[bug]].compactMap(\.self) + (1...200) {
            let report = try campaign.run(FuzzOptions(seed: seed, bug: bug))
            guard let finding = report.findings.first else { continue }
            #expect(finding.rule == bug.rule, "\(finding)")
            return
        }
        Issue.record("\(bug.rawValue) is not found")
    }

    @Test func `shrinking keeps only the steps that the failure needs`() throws {
        // given a run that fails if steps 3 and 17 are executed, which is detected at step 20
        let options = FuzzOptions(seed: 1, steps: 40)
        let finding = FuzzFinding(.contract, step: 20, "")
        var tries = 0
        // when
        let smallest = FuzzCampaign.shrink(options, finding) { fewer in
            tries += 1
            return Set(fewer.kept ?? []).isSuperset(of: [3, 17])
        }
        // then
        #expect(smallest.kept == [3, 17])
        #expect(smallest.arguments == ["--seed", "1", "--steps", "40", "--only", "3,17"])
        #expect(tries < 60)
    }
}
