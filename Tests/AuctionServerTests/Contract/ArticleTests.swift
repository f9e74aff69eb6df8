import Foundation
import Testing

/// The articles about adding something show code of the tree, so that it is compiled.
struct ArticleTests {
    /// The lines without indentation and without empty lines.
    private func lines(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    @Test func `all code in the articles about adding something is in a file that the article names`() throws {
        let root = Contract.file.deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Sources/AuctionServer/AuctionServer.docc")
        let articles = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("Adding") }
        #expect(articles.count == 4)
        for article in articles {
            let text = try String(contentsOf: article, encoding: .utf8)
            let sources = try text.matches(of: #/`((?:Sources|Tests)/[^`]+\.swift)`/#).map {
                lines(try String(contentsOf: root.appending(path: String($0.1)), encoding: .utf8))
            }
            let code = text.matches(of: #/```swift\n((?s).*?)```/#).flatMap { $0.1.split(separator: "\n\n") }
            #expect(!code.isEmpty)
            for part in code {
                #expect(sources.contains { $0.contains(lines(part)) }, "\(article.lastPathComponent): \(part)")
            }
        }
    }
}
