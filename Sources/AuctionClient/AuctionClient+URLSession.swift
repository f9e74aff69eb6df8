@_exported public import AuctionClientCore
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension AuctionClient {
    /// A client that uses URLSession.
    /// - Parameters:
    ///   - baseURL: address of the service.
    ///   - configuration: how the client works.
    ///   - session: configuration of the URLSession, see `URLSessionTransport`.
    public convenience init(
        baseURL: URL, configuration: ClientConfiguration = .init(), session: URLSessionConfiguration = .ephemeral
    ) {
        self.init(transport: URLSessionTransport(baseURL: baseURL, configuration: session), configuration: configuration)
    }
}
