import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Scanner {
        private static let plain = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let lengthy = "POST /a HTTP/1.1\r\nCONTENT-LENGTH: \t4 \r\nHost: a\r\n\r\n\n\n: "
        private static let chunked =
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nA;a=\"b\"\r\n0123456\n 9\r\n1\r\n\0\r\n0\r\nX: a\r\n\r\n"

        private static let chunkedHead = "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"

        private static func scan(_ pieces: [[UInt8]], lineLimit: Int = 4096) -> RequestScanner {
            var scanner = RequestScanner(lineLimit: lineLimit)
            for piece in pieces { _ = scanner.scan(piece.span) }
            return scanner
        }

        /// What libmicrohttpd gets of the pieces.
        private static func passedOn(_ pieces: [[UInt8]]) -> String {
            var scanner = RequestScanner(lineLimit: 4096)
            return String(decoding: pieces.flatMap { scanner.scan($0.span) ?? $0 }, as: UTF8.self)
        }

        @Test func `requests are counted by the ends of their bodies`() {
            let bytes = Array((Self.plain + Self.lengthy + Self.chunked + "\r\n" + Self.plain).utf8)
            let scanner = Self.scan([bytes])
            #expect(scanner.requestCount == 4)
            #expect(scanner.fault == nil)
        }

        /// The result does not depend on where the bytes are split, down to single bytes.
        @Test(arguments: [
            plain + lengthy + chunked + plain, chunked + "GET /  HTTP/1.1\r\n" + plain,
            lengthy + "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
            plain + chunked.replacing("A;", with: "A;;") + plain, plain + "\r\n\n" + plain,
            plain.replacing("Host", with: "Cookie: a=b\r\nUpgrade: a\r\nHost") + "\u{1}\n",
            plain.replacing("Host", with: "Cookie: a\r\u{1}\u{1}b\r\nHost"),
            plain.replacing("Host", with: "Cookie: \u{0}\u{1}ab\nHost"),
            plain.replacing("Host", with: "COOKIE:\r\ncookie: \t\r\nHost"), lengthy.replacing("4 ", with: "4x"),
        ])
        func `split bytes give the same result as unsplit ones`(_ text: String) {
            let bytes = Array(text.utf8)
            let whole = Self.scan([bytes])
            let single = Self.scan(bytes.map { [$0] })
            let passedOn = Self.passedOn([bytes])
            #expect(Self.passedOn(bytes.map { [$0] }) == passedOn)
            #expect(single.requestCount == whole.requestCount)
            #expect(single.fault == whole.fault)
            for cut in bytes.indices {
                let halves = Self.scan([Array(bytes[..<cut]), Array(bytes[cut...])])
                #expect(halves.requestCount == whole.requestCount, "cut at \(cut)")
                #expect(halves.fault == whole.fault, "cut at \(cut)")
                #expect(Self.passedOn([Array(bytes[..<cut]), Array(bytes[cut...])]) == passedOn, "cut at \(cut)")
            }
        }

        @Test func `a fault is attributed to the request that contains it`() {
            let scanner = Self.scan([Array((Self.plain + "GET / HTTP/1.1\r\n: b\r\n\r\n" + Self.plain).utf8)])
            #expect(scanner.requestCount == 2)
            #expect(scanner.fault == "A header has no name.")
        }

        @Test func `cookies are not buffered, however long their line is, and bounded`() {
            func cookie(_ bytes: Int) -> [UInt8] {
                let line = "Cookie: " + String(repeating: "c", count: bytes - 1) + "\r\n"
                return Array(Self.plain.replacing("Host", with: line + "Host").utf8)
            }
            let limit = RequestScanner.cookieLimit
            for (bytes, isTaken) in [(300, true), (limit, true), (limit + 1, false), (10 * limit, false)] {
                for size in [1, 7, 100] {
                    let bytes = cookie(bytes)
                    let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
                    var scanner = RequestScanner(lineLimit: 200)
                    let passedOn = pieces.flatMap { scanner.scan($0.span) ?? $0 }
                    #expect(scanner.requestCount == 1)
                    #expect((scanner.fault == nil) == isTaken)
                    #expect(String(decoding: passedOn, as: UTF8.self) == (isTaken ? Self.plain : "GET /hello HTTP/1.1\r\n\r\n"))
                }
            }
        }

        @Test func `a line above the limit is not buffered`() {
            let long = Array("GET /\(String(repeating: "a", count: 300)) HTTP/1.1\r\n".utf8)
            let scanner = Self.scan(long.map { [$0] }, lineLimit: 200)
            #expect(scanner.requestCount == 0)
            #expect(Self.scan(long.map { [$0] }, lineLimit: 400).requestCount == 1)
        }

        @Test func `libmicrohttpd gets whole lines without cookies, extensions and trailers, and lengths that it can parse`() {
            let bytes = Array(
                ("\r\n" + Self.plain.replacing("Host", with: "cookie: a=b\r\nCookies: c\r\nHost") + Self.lengthy + Self.chunked)
                    .utf8)
            let passedOn =
                Self.plain.replacing("Host", with: "Cookies: c\r\nHost")
                + Self.lengthy.replacing("CONTENT-LENGTH: \t4 ", with: "Content-Length: 4")
                + Self.chunked.replacing("A;a=\"b\"", with: "a").replacing("X: a\r\n", with: "")
            #expect(Self.passedOn([bytes]) == passedOn)
            var scanner = RequestScanner(lineLimit: 4096)
            #expect(scanner.scan(Array("GET / HTTP/1.1\r\nHo".utf8).span) == Array("GET / HTTP/1.1\r\n".utf8))
            #expect(scanner.scan(Array("st: a\r\n\r\n".utf8).span) == Array("Host: a\r\n\r\n".utf8))
            #expect(scanner.scan(Array(Self.plain.utf8).span) == nil)
        }

        /// A faulty line, what comes before it, and what libmicrohttpd gets of both.
        @Test(arguments: [
            ("", "GET  / HTTP/1.1", "GET / HTTP/1.1\r\n\r\n"),
            ("GET / HTTP/1.1\r\n", "X : a", "GET / HTTP/1.1\r\n\r\n"),
            (chunkedHead, "1;", chunkedHead + "0\r\n\r\n"), (chunkedHead + "1\r\nx", "y", chunkedHead + "1\r\nx\r\n0\r\n\r\n"),
            (chunkedHead + "0\r\n", " a", chunkedHead + "0\r\n\r\n"),
        ])
        func `in place of a faulty line libmicrohttpd gets the end of the request, and nothing after it`(
            _ start: String, _ line: String, _ expected: String
        ) {
            #expect(Self.passedOn([Array((start + line + "\r\n" + Self.plain).utf8), Array(Self.plain.utf8)]) == expected)
        }

        @Test(arguments: ["99999999999999999999999", "9223372036854775807"])
        func `a Content-Length that overflows is saturated`(_ length: String) {
            let head = "POST /a HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n"
            #expect(Self.scan([Array((head + Self.plain).utf8)]).requestCount == 1)
        }

        @Test(arguments: ["FFFFFFFFFFFFFFF", "7fffffffffffffff"])
        func `a huge chunk size does not overflow`(_ size: String) {
            let head = "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            #expect(Self.scan([Array((head + size + "\r\n" + Self.plain).utf8)]).requestCount == 1)
        }
    }
}
