import Foundation
import Testing

struct TutorialTests {
    @Test(arguments: [("ABiddingScreen", "BiddingScreen"), ("SigningIn", "SigningIn")])
    func `the code of the article is the code that is compiled here`(_ name: String, _ file: String) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: package.appendingPathComponent("Sources/AuctionClientCore/AuctionClient.docc/\(name).md"),
            encoding: .utf8)
        let code = try String(contentsOf: tests.appendingPathComponent("\(file).swift"), encoding: .utf8)
        let compiled = Self.lines(code)
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 2)
        for block in blocks {
            let lines = Self.lines(block)
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: lines) }
            #expect(isThere, "not in \(file).swift:\n\(block)")
        }
    }

    /// Without indentation, which a type around the code changes.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
