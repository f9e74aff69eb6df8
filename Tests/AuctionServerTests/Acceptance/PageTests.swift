import CPage
import Foundation
import Testing

@testable import AuctionServer

/// The web page is served unchanged from Sources/Page, with headers that block foreign scripts.
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Page")

    private static func files() throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        return names.compactMap { $0 as? String }.filter {
            ["html", "css", "js", "svg", "ts"].contains($0.split(separator: ".").last)
        }
    }

    @Test func `every file of the page is embedded in the executable`() throws {
        #expect(try Set(Self.files()) == Set(PageFile.all.keys))
        #expect(PageFile.all.count == page_file_count())
    }

    @Test func `a file is served byte for byte with its content type, and with an ETag for revalidation`() throws {
        let server = try TestServer()
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
            "svg": "image/svg+xml", "ts": "application/typescript; charset=utf-8",
        ]
        for file in try Self.files() {
            let path = file == "index.html" ? "/" : "/page/\(file)"
            let response = try server.call("GET", path)
            #expect(response.status == 200, "\(path)")
            #expect(try Data(response.body) == Data(contentsOf: Self.folder.appending(path: file)), "\(path)")
            #expect(response.header("Content-Type") == file.split(separator: ".").last.flatMap { types[String($0)] }, "\(path)")
            #expect(response.header("X-Content-Type-Options") == "nosniff", "\(path)")
            #expect(response.header("Cache-Control") == "no-cache", "\(path)")
            let tag = try #require(response.header("ETag"))
            #expect(try server.call("GET", path, nil, by: nil, [("If-None-Match", tag)]).status == 304, "\(path)")
            #expect(try server.call("GET", path, nil, by: nil, [("If-None-Match", "\"other\"")]).status == 200, "\(path)")
        }
    }

    @Test func `the modules of the client are for pages of any origin, and those of the page are not`() throws {
        let server = try TestServer()
        for file in try Self.files() where file.hasPrefix("client/") {
            let response = try server.call("GET", "/\(file)")
            #expect(response.status == 200, "\(file)")
            #expect(try response.body == server.call("GET", "/page/\(file)").body, "\(file)")
            #expect(response.header("Access-Control-Allow-Origin") == "*", "\(file)")
            #expect(response.header("Cross-Origin-Resource-Policy") == "cross-origin", "\(file)")
            let known = try server.call("GET", "/\(file)", nil, by: nil, [("If-None-Match", "*")])
            #expect(known.status == 304, "\(file)")
            #expect(
                known.header("Access-Control-Allow-Origin") == "*", "a cache updates its headers from this response: \(file)")
        }
        for path in ["/", "/page/main.js", "/page/base.css"] {
            #expect(try server.call("GET", path).header("Access-Control-Allow-Origin") == nil, "\(path)")
        }
    }

    @Test func `a listed origin gets the client's modules as every other, with one value per header`() throws {
        let server = try TestServer { $0.allowedOrigins = ["https://shop.example", "*"] }
        for origin in ["https://shop.example", "https://other.example"] {
            let response = try server.call("GET", "/client/clock.js", nil, by: nil, [("Origin", origin)])
            let allowed = response.headers.filter { $0.name.lowercased() == "access-control-allow-origin" }
            #expect(allowed.map(\.value) == ["*"], "\(origin)")
        }
    }

    @Test func `the content security policy allows own scripts only, and other page paths get 404`() throws {
        let server = try TestServer()
        let policy = try #require(try server.call("GET", "/").header("Content-Security-Policy"))
        for part in [
            "default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "trusted-types 'none'",
        ] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe"))
        for path in [
            "/page/", "/page/none.js", "/page/views/none.js", "/page/../Package.swift", "/page/package.json",
            "/page/index.html", "/client/", "/client/main.js", "/client/client/auction-client.js",
            "/client/../main.js",
        ] {
            #expect(try server.call("GET", path).status == 404, "\(path)")
        }
    }
}
