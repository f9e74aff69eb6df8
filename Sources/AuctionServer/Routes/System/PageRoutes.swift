internal import CPage
internal import ExactJSON
internal import MicroHTTP
internal import OutboundHTTP

// The web page and the JavaScript client: static files compiled into the program. The page uses the client, and that the public API.
extension Routes {
    static let page: [Route] = [
        Route(
            unlisted: "/", mediaTypes: ["text/html"],
            .anonymous { context throws(Problem) in try pageFile(PageFile.index, context) }),
        Route(unlisted: "/page/settings.json", .anonymous { context in .now(pageSettings(context.loop.shared)) }),
        Route(
            unlisted: "/page/{file}", mediaTypes: PageFile.mediaTypes,
            .anonymous { context throws(Problem) in try pageFile(context.parameters[0], context) }),
        // For who has a service token; without `--admin-token-file` there are none, and no such page.
        Route(
            unlisted: "/operator", mediaTypes: ["text/html"],
            .anonymous { context throws(Problem) in
                guard context.loop.shared.operators.tokens.isOn else { throw .routeNotFound }
                return try pageFile(PageFile.operator, context)
            }),
        Route(
            unlisted: "/page/operator/{file}", mediaTypes: PageFile.mediaTypes,
            .anonymous { context throws(Problem) in try pageFile("operator/\(context.parameters[0])", context) }),
        Route(
            unlisted: "/page/views/{file}", mediaTypes: PageFile.mediaTypes,
            .anonymous { context throws(Problem) in try pageFile("views/\(context.parameters[0])", context) }),
        // The page loads the client from here, beside its own modules, so that their imports are the same in the source tree.
        Route(
            unlisted: "/page/client/{file}", mediaTypes: PageFile.clientMediaTypes,
            .anonymous { context throws(Problem) in try pageFile("client/\(context.parameters[0])", context) }),
        Route(
            unlisted: "\(PageFile.publicPath){file}", mediaTypes: PageFile.clientMediaTypes,
            .anonymous { context throws(Problem) in try pageFile("client/\(context.parameters[0])", context) }),
    ]

    static func pageFile(_ path: String, _ context: RequestContext) throws(Problem) -> Reply {
        // Documents have addresses of their own: `/` and `/docs`.
        guard let file = PageFile.all[path], context.parameters.isEmpty || !file.isDocument else { throw .routeNotFound }
        guard path == PageFile.index, let allowed = PagePolicy(context.loop.shared) else {
            return .now(file.content.response(to: context.exchange, file.headers, access: file.access))
        }
        // In a 304 too: the browser may have the page from before the provider was reached.
        let policy = (PageFile.policyName, allowed.text)
        let headers = file.headers.filter { $0.name != PageFile.policyName }
        return .now(file.content.response(to: context.exchange, headers, access: file.access + [policy]))
    }

    /// How users of the page sign in, which changes while the server runs, so that the page asks at each start; and how it joins the sound.
    private static func pageSettings(_ shared: SharedParts) -> Response {
        let access = shared.access
        let provider = access.signIn.pageProvider
        let endpoints = provider.flatMap { access.providerKeys?.endpoints(of: $0.issuer) }
        return Response.object(reserving: 512, status: 200) { json in
            json.member("guests", access.acceptsGuests)
            json.member("signIn", provider) { provider, json in
                json.object { json in
                    json.member("issuer", provider.issuer)
                    json.member("clientId", provider.clients[0])
                    json.member("authorizationEndpoint", endpoints?.authorization)
                    json.member("tokenEndpoint", endpoints?.token.text)
                }
            }
            json.member("voice", shared.options.voice) { voice, json in
                json.object { json in
                    json.member("client", voice.client) { client, json in
                        json.object { json in
                            json.member("url", client.url)
                            json.member("integrity", client.integrity)
                        }
                    }
                }
            }
        }
    }
}

/// A file of the web page with its response headers.
struct PageFile: Sendable {
    let content: StaticFile
    let headers: [(name: String, value: String)]
    /// Which other origins may load it, in every response: the client's modules are for pages of any origin, and hold no data of users.
    let access: [(name: String, value: String)]
    /// Whether it is HTML, which loads the others.
    let isDocument: Bool

    static let index = "index.html"
    static let documentation = "docs/index.html"
    static let `operator` = "operator/index.html"
    /// Below it are the modules of the JavaScript client, for pages of any origin.
    static let publicPath = "/client/"

    /// By path below Sources/Page.
    static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for index in 0..<page_file_count() {
            // SAFETY: path, bytes and size are matching constants of the program.
            let path = unsafe String(cString: page_file_at(index).path)
            files[path] = PageFile(
                path,
                StaticFile {
                    let file = unsafe page_file_at(index)
                    return unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.size))
                })
        }
        return files
    }()

    static let mediaTypes = ["text/javascript", "text/css", "image/svg+xml"]
    static let clientMediaTypes = ["text/javascript", "application/typescript"]

    static let policyName = "Content-Security-Policy"

    private init(_ path: String, _ content: StaticFile) {
        self.content = content
        let type = Self.type(of: path)
        var headers = [(name: "Content-Type", value: type), (name: "X-Content-Type-Options", value: "nosniff")]
        isDocument = type.hasPrefix("text/html")
        if isDocument {
            headers.append((Self.policyName, PagePolicy.usual.text))
            headers.append(("Referrer-Policy", "no-referrer"))
        }
        self.headers = headers
        access =
            path.hasPrefix("client/")
            ? [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")] : []
    }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "ts": "application/typescript; charset=utf-8"
        default: "image/svg+xml"
        }
    }
}
