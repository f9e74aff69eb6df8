import CPage
import Foundation
import Testing

@testable import AuctionServer

/// The web page is served as it stands in Sources/Page, and in a way that leaves no room for foreign scripts.
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Page")

    private static func files() throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        return names.compactMap { $0 as? String }.filter {
            ["html", "css", "js", "svg"].contains($0.split(separator: ".").last)
        }
    }

    @Test func `every file of the page is in the program`() throws {
        #expect(try Set(Self.files()) == Set(PageFile.all.keys))
        #expect(PageFile.all.count == page_file_count())
    }

    @Test func `a file is served byte for byte, as what it is, and once more only if it changed`() throws {
        let house = try House()
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
            "svg": "image/svg+xml",
        ]
        for file in try Self.files() {
            let path = file == "index.html" ? "/" : "/page/\(file)"
            let answer = try house.call("GET", path)
            #expect(answer.status == 200, "\(path)")
            #expect(try Data(answer.body) == Data(contentsOf: Self.folder.appending(path: file)), "\(path)")
            #expect(answer.header("Content-Type") == file.split(separator: ".").last.flatMap { types[String($0)] }, "\(path)")
            #expect(answer.header("X-Content-Type-Options") == "nosniff", "\(path)")
            #expect(answer.header("Cache-Control") == "no-cache", "\(path)")
            let tag = try #require(answer.header("ETag"))
            #expect(try house.call("GET", path, nil, by: nil, [("If-None-Match", tag)]).status == 304, "\(path)")
            #expect(try house.call("GET", path, nil, by: nil, [("If-None-Match", "\"other\"")]).status == 200, "\(path)")
        }
    }

    @Test func `the page may run its own scripts only, and nothing else is there`() throws {
        let house = try House()
        let policy = try #require(try house.call("GET", "/").header("Content-Security-Policy"))
        for part in [
            "default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "trusted-types 'none'",
        ] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe"))
        for path in [
            "/page/", "/page/none.js", "/page/views/none.js", "/page/../Package.swift", "/page/package.json",
            "/page/index.html",
        ] {
            #expect(try house.call("GET", path).status == 404, "\(path)")
        }
    }
}
