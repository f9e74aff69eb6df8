import Foundation
import Testing

@testable import AuctionClient
@testable import AuctionClientCore

/// When an error of URLSession means that a request was certainly not sent.
struct TransportErrorTests {
    private static var noNetwork: [URLError.Code] {
        [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive]
    }
    private static var noConnection: [URLError.Code] { [.cannotFindHost, .cannotConnectToHost, .serverCertificateUntrusted] }

    private func isNotSent(_ code: URLError.Code, _ progress: RequestProgress) -> Bool {
        guard case .notSent = TransportError(URLError(code), progress) else { return false }
        return true
    }

    @Test func `a request without a connection or a network was not sent`() {
        for code in Self.noNetwork + Self.noConnection {
            #expect(isNotSent(code, RequestProgress()), "\(code)")
            #expect(isNotSent(code, RequestProgress(hasBody: false, isRead: true)), "\(code)")
        }
    }

    @Test func `a request may have arrived whose network went away after it was sent`() {
        for code in Self.noNetwork + Self.noConnection {
            #expect(!isNotSent(code, RequestProgress(sentBytes: 1)), "\(code)")
            #expect(!isNotSent(code, RequestProgress(hasResponse: true)), "\(code)")
        }
        // The head of a DELETE is the whole request, and its bytes are not counted.
        for code in Self.noNetwork { #expect(!isNotSent(code, RequestProgress(hasBody: false)), "\(code)") }
    }

    @Test(arguments: ["auctions", "localhost:8080", "ftp://127.0.0.1", "http://", "mailto:ann@example.com"])
    func `a base without http or a host is no address`(text: String) async throws {
        let transport = URLSessionTransport(baseURL: try #require(URL(string: text)))
        let call = HTTPCall(
            method: "GET", target: "/v1/rooms", headers: [], body: nil, timeout: .seconds(1), responseLimit: 1024)
        let error = await #expect(throws: TransportError.self) { try await transport.send(call) }
        guard case .invalidAddress = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `other errors say nothing of what was sent`() {
        for code in [.timedOut, .networkConnectionLost, .badServerResponse] as [URLError.Code] {
            #expect(!isNotSent(code, RequestProgress()), "\(code)")
        }
        #expect(TransportError(URLError(.cancelled), RequestProgress()) == .cancelled)
        #expect(TransportError(CocoaError(.fileNoSuchFile), RequestProgress()) != .cancelled)
    }
}
