import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Routing {
        private func find(_ method: HTTPMethod, _ path: String) -> String {
            var router = Router<String>()
            router.on(.get, "/", "root")
            router.on(.get, "/v1/rooms", "list")
            router.on(.post, "/v1/rooms", "create")
            router.on(.get, "/v1/rooms/{id}", "read")
            router.on(.post, "/v1/rooms/{id}/bids", "bid")
            router.on(.delete, "/v1/rooms/{id}/members/me", "leave")
            router.on(.delete, "/v1/rooms/{id}/members/{user}", "kick")
            router.on(.get, "/v1/rooms/special/items/{item}", "special item")
            router.on(.get, "/v1/rooms/special/items/", "special items")
            return switch router.match(method, path) {
            case .found(let route, let parameters): ([router[route]] + parameters).joined(separator: "|")
            case .notFound: "404"
            case .methodNotAllowed(let allow): "405 " + allow.map(\.rawValue).joined(separator: ",")
            }
        }

        @Test func `paths match their targets with their parameters`() {
            #expect(find(.get, "/") == "root")
            #expect(find(.get, "/v1/rooms") == "list")
            #expect(find(.post, "/v1/rooms") == "create")
            #expect(find(.get, "/v1/rooms/room_1") == "read|room_1")
            #expect(find(.post, "/v1/rooms/room_1/bids") == "bid|room_1")
            #expect(find(.delete, "/v1/rooms/a/members/b") == "kick|a|b")
            #expect(find(.get, "/v1/rooms/special/items/") == "special items", "a pattern may end with a slash")
        }

        @Test func `a literal takes precedence over a parameter, with backtracking if it has no match`() {
            #expect(find(.delete, "/v1/rooms/a/members/me") == "leave|a")
            #expect(find(.get, "/v1/rooms/special/items/x") == "special item|x")
            #expect(find(.post, "/v1/rooms/special/bids") == "bid|special")
            #expect(find(.get, "/v1/rooms/special") == "read|special")
        }

        @Test func `a path without a route is not found`() {
            for path in [
                "", "v1", "/v1", "/v2/rooms", "/v1/rooms/", "/v1//rooms", "//", "/v1/rooms/a/bids/", "/v1/rooms//bids",
                "/V1/rooms", "/v1/rooms/a/bids/b", "http://a/v1/rooms", "/v1/rooms/special/items", "/v1/rooms/special/items//",
            ] {
                #expect(find(.get, path) == "404", "\(path)")
            }
        }

        @Test func `a method without a route gets the allowed methods`() {
            #expect(find(.put, "/v1/rooms") == "405 GET,HEAD,POST")
            #expect(find(.get, "/v1/rooms/a/bids") == "405 POST")
        }

        @Test func `HEAD matches the route of GET`() {
            #expect(find(.head, "/v1/rooms/a") == "read|a")
            #expect(find(.head, "/v1/rooms/a/bids") == "405 POST")
        }

        @Test func `parameters are decoded, and malformed escapes are not found`() {
            #expect(find(.get, "/v1/rooms/a%20%C3%BC+b") == "read|a ü+b")
            #expect(find(.get, "/v1/rooms/a%2Fb") == "read|a/b")
            for escaped in ["%", "%2", "%zz", "a%", "%C3", "%FF"] {
                #expect(find(.get, "/v1/rooms/\(escaped)") == "404", "\(escaped)")
            }
        }

        @Test func `query items are decoded in order`() {
            let query = QueryItems("a=1&b=x%20y+z&&flag&c==&a=%C3%BC")
            #expect(query.items.map { "\($0.name)=\($0.value)" } == ["a=1", "b=x y z", "flag=", "c==", "a=ü"])
            #expect(query["b"] == "x y z")
            #expect(query["flag"]?.isEmpty == true)
            #expect(query["none"] == nil)
        }

        @Test func `repeated names and malformed escapes are reported`() {
            #expect(QueryItems("a=1&b=2&a=3&b=4&a=5").duplicates == ["a", "b"])
            #expect(QueryItems("a=%zz&b=2&%=1&=3").malformed == ["a=%zz", "%=1", "=3"])
            #expect(QueryItems(nil).items.isEmpty)
            #expect(QueryItems("").items.isEmpty)
        }
    }
}
