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
        let server = try TestServer { $0.adminToken = OperatorFixture.adminToken }
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
            "svg": "image/svg+xml", "ts": "application/typescript; charset=utf-8",
        ]
        for file in try Self.files() {
            let path =
                ["index.html": "/", "docs/index.html": "/docs", "operator/index.html": "/operator"][file] ?? "/page/\(file)"
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

    @Test(arguments: [
        "/", "/page/strings.js", "/page/base.css", "/client/auction-client.js", "/openapi.yaml", "/asyncapi.yaml", "/docs",
        "/docs/articles.json", "/docs/articles/ATour.md",
    ])
    func `a client that accepts gzip gets less, with a tag of its own`(path: String) throws {
        let server = try TestServer()
        // What `send` checks is JSON or text, and a compressed body is neither.
        func get(_ headers: [(name: String, value: String)]) throws -> HTTPResponse {
            let connection = try server.connect()
            try connection.send(server.request("GET", path, nil, by: nil, headers))
            return try connection.receive()
        }
        let plain = try server.call("GET", path)
        #expect(plain.header("Content-Encoding") == nil && plain.header("Vary") == "Accept-Encoding")
        for accepted in ["gzip", "br, GZIP;q=0.5", "gzip, deflate, br, zstd", "*"] {
            let response = try get([("Accept-Encoding", accepted)])
            #expect(response.status == 200 && response.header("Content-Encoding") == "gzip", "\(accepted)")
            #expect(response.body.starts(with: [0x1F, 0x8B]) && response.body.count * 2 < plain.body.count, "\(accepted)")
            #expect(response.header("Vary") == "Accept-Encoding" && response.header("ETag") != plain.header("ETag"))
            let tag = try #require(response.header("ETag"))
            let known = try get([("Accept-Encoding", accepted), ("If-None-Match", tag)])
            #expect(known.status == 304 && known.header("ETag") == tag && known.header("Cache-Control") == "no-cache")
            #expect(try get([("If-None-Match", tag)]).status == 200, "it has other bytes than it would get")
        }
        for refused in ["identity", "br", "gzip;q=0", "*, gzip;q=0"] {
            #expect(try get([("Accept-Encoding", refused)]).body == plain.body, "\(refused)")
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
            "/page/index.html", "/page/docs/index.html", "/page/operator/index.html", "/operator/", "/docs//",
            "/docs/articles/", "/client/", "/client/main.js",
            "/client/client/auction-client.js",
            "/client/../main.js",
        ] {
            #expect(try server.call("GET", path).status == 404, "\(path)")
        }
    }

    @Test func `without service tokens there is no page of operators`() throws {
        #expect(try TestServer().call("GET", "/operator").code == "route.not_found")
    }

    @Test func `the documentation is found with a slash at the end of its address`() throws {
        let server = try TestServer()
        for (path, address) in [("/docs/", "/docs"), ("/docs/?lang=zh", "/docs?lang=zh")] {
            let response = try server.call("GET", path)
            #expect(response.status == 308 && response.header("Location") == address, "\(path)")
            #expect(try server.call("GET", address).status == 200)
        }
    }
}
