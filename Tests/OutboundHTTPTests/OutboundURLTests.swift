import OutboundHTTP
import Testing

struct OutboundURLTests {
    @Test(arguments: [
        ("https://SSO.example/a?b", "https://sso.example"), ("https://sso.example:443/", "https://sso.example"),
        ("https://sso.example:8443", "https://sso.example:8443"), ("http://127.0.0.1:80/token", "http://127.0.0.1"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ])
    func `an origin has no port of its scheme, and no path`(_ url: String, _ origin: String) throws {
        #expect(try OutboundURL(url).origin == origin)
    }
}
