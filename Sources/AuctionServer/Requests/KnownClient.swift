internal import AuctionDomain
internal import MicroHTTP

/// What the last request on a connection has named: the next one mostly names the same.
final class KnownClient {
    private(set) var caller: KnownCaller?
    private(set) var path: RoutedPath?

    func keep(_ caller: KnownCaller) { self.caller = caller }
    func keep(_ path: RoutedPath) { self.path = path }
}

/// The caller of the last request on a connection.
struct KnownCaller {
    /// Longest header, in bytes: three times that of a guest. Longer ones are looked up in the loop's table of tokens.
    static let longestAuthorization = 1024

    let authorization: String
    let caller: Caller
    /// The verifier that has accepted the token.
    let generation: Int
}

/// A path with its route: where a request goes. Kept with the connection, whose next request mostly has the same.
final class RoutedPath {
    /// Longest path, in bytes, that is kept.
    static let longestKept = 128

    let route: Route
    let parameters: PathParameters
    /// The first parameter as the id of a room; nil if it is none.
    private(set) lazy var room: RoomID? = parameters.isEmpty ? nil : parameters.id(0)
    private let method: HTTPMethod
    private let text: String

    init(_ exchange: Exchange, _ route: Route, _ parameters: PathParameters) {
        (self.route, self.parameters, method, text) = (route, parameters, exchange.method, exchange.path)
    }

    /// Whether a request has the same method and path.
    func isPath(of exchange: Exchange) -> Bool { exchange.method == method && exchange.hasPath(text) }
}
