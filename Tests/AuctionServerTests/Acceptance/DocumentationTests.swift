import Foundation
import Testing

@testable import AuctionServer

/// `/docs` shows the contract and the articles, from what is compiled into the program.
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The files of the articles, by name.
    private static func files() throws -> [String: URL] {
        let folders = [
            "Sources/AuctionServer/AuctionServer.docc", "Sources/AuctionClientCore/AuctionClient.docc",
            "Sources/StateMachines/StateMachines.docc", "openapi",
        ]
        let files = try folders.flatMap {
            try FileManager.default.contentsOfDirectory(at: root.appending(path: $0), includingPropertiesForKeys: nil)
        }
        let named = files.filter { $0.pathExtension == "md" }.map { ($0.deletingPathExtension().lastPathComponent, $0) }
        return Dictionary(uniqueKeysWithValues: named)
    }

    @Test func `every article of the catalogs is served as Markdown, byte for byte, and as a page`() throws {
        let server = try TestServer()
        let files = try Self.files()
        #expect(Set(Article.all.keys) == Set(files.keys))
        for (name, file) in files {
            let text = try server.call("GET", "/docs/articles/\(name).md")
            #expect(text.status == 200 && text.header("Content-Type") == "text/markdown; charset=utf-8", "\(name)")
            #expect(try Data(text.body) == Data(contentsOf: file), "\(name)")
            let tag = try #require(text.header("ETag"))
            #expect(try server.call("GET", "/docs/articles/\(name).md", nil, by: nil, [("If-None-Match", tag)]).status == 304)
        }
        let page = try server.call("GET", "/docs")
        #expect(page.header("Content-Security-Policy")?.contains("script-src 'self';") == true)
        #expect(try server.call("GET", "/docs/articles/ATour").body == page.body)
        #expect(try server.call("GET", "/docs/articles/ATour").header("Content-Security-Policy") != nil)
        for path in ["None", "None.md", ".md", "ATour.md.md", "..%2FATour.md"] {
            #expect(try server.call("GET", "/docs/articles/\(path)").status == 404, "\(path)")
        }
    }

    @Test func `the list has each article once, with its title and its headings but not what is code`() throws {
        let articles = try TestServer().call("GET", "/docs/articles.json").list("articles")
        #expect(try articles.compactMap { $0.text("name") }.sorted() == Self.files().keys.sorted())
        let tour = try #require(articles.first { $0.text("name") == "ATour" })
        #expect(tour.text("title") == "A tour with curl" && tour.text("group") == "Using it")
        #expect(tour.at("headings")?.elements?.first?.text == "Overview")
        #expect(Article.headings(of: "# A `b`\n\n```sh\n# No\n```\n#No\n### C\n") == ["A `b`", "C"])
    }

    @Test func `what the page loads is at most 300 kB, compressed and from this server`() throws {
        let server = try TestServer()
        let document = try String(decoding: server.call("GET", "/docs").body, as: UTF8.self)
        let loaded = document.matches(of: /(?:href|src)="(\/[^"]+)"/).map { String($0.1) }
        #expect(loaded.contains("/openapi.yaml") && loaded.contains("/page/docs/main.js"))
        var bytes = 0
        for path in Set(loaded + ["/docs", "/docs/articles.json", "/docs/articles/Operations.md"]) {
            let connection = try server.connect()
            try connection.send(server.request("GET", path, nil, by: nil, [("Accept-Encoding", "gzip")]))
            let response = try connection.receive()
            #expect(response.status == 200, "\(path)")
            bytes += response.body.count
        }
        #expect(bytes <= 300_000)
    }
}
