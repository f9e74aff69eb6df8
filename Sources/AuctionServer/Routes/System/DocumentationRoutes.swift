internal import CPage
internal import ExactJSON
internal import MicroHTTP

// The contract and the articles for people: a page that renders, in the browser, the YAML and the Markdown that are compiled into the
// program.
extension Routes {
    static let documentation: [Route] = [
        Route(
            unlisted: "/docs", mediaTypes: ["text/html"],
            .anonymous { context throws(Problem) in try pageFile(PageFile.documentation, context) }),
        // As people type it.
        Route(
            unlisted: "/docs/", mediaTypes: ["text/html"],
            .anonymous { context in
                let address = "/docs" + (context.exchange.query.map { "?\($0)" } ?? "")
                return .now(Response(status: 308, headers: [("Location", address), ("Cache-Control", "no-store")]))
            }),
        Route(
            unlisted: "/docs/articles.json",
            .anonymous { context in .now(Article.list.response(to: context.exchange, Article.listHeaders)) }),
        Route(
            unlisted: "/docs/articles/{file}", mediaTypes: ["text/html", "text/markdown"],
            .anonymous { context throws(Problem) in
                let file = context.parameters[0]
                if file.hasSuffix(".md"), let article = Article.all[String(file.dropLast(3))] {
                    return .now(article.content.response(to: context.exchange, Article.headers))
                }
                guard let page = PageFile.all[PageFile.documentation], Article.all[file] != nil else { throw .routeNotFound }
                return .now(page.content.response(to: context.exchange, page.headers))
            }),
        Route(
            unlisted: "/page/docs/{file}", mediaTypes: PageFile.mediaTypes,
            .anonymous { context throws(Problem) in try pageFile("docs/\(context.parameters[0])", context) }),
    ]
}

/// An article of the documentation, as it was when the program was built.
struct Article: Sendable {
    /// The heading under which it is listed.
    let group: String
    let name: String
    let content: StaticFile

    /// By name.
    static let all: [String: Article] = Dictionary(uniqueKeysWithValues: inOrder.map { ($0.name, $0) })

    private static let inOrder: [Article] = (0..<article_count()).map { index in
        // SAFETY: names, bytes and size are matching constants of the program.
        let article = unsafe article_at(index)
        let content = StaticFile {
            let article = unsafe article_at(index)
            return unsafe [UInt8](UnsafeBufferPointer(start: article.bytes, count: article.size))
        }
        return unsafe Article(group: String(cString: article.group), name: String(cString: article.name), content: content)
    }

    static let headers = [
        (name: "Content-Type", value: "text/markdown; charset=utf-8"), (name: "X-Content-Type-Options", value: "nosniff"),
    ]
    static let listHeaders = [(name: "Content-Type", value: "application/json")]

    /// All articles with their titles and headings, as JSON: what the page lists and searches.
    static let list: StaticFile = {
        var json = JSONWriter(reserving: 16_384)
        json.object { json in
            json.member("articles", each: inOrder) { article, json in
                let headings = headings(of: String(decoding: article.content.bytes, as: UTF8.self))
                json.object { json in
                    json.member("name", article.name)
                    json.member("group", article.group)
                    json.member("title", headings.first ?? article.name)
                    json.member("headings", strings: headings.dropFirst())
                }
            }
        }
        let bytes = json.bytes
        return StaticFile { bytes }
    }()

    /// The texts of the headings of an article, in Markdown; the first one is its title.
    static func headings(of article: String) -> [String] {
        var isCode = false
        return article.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isCode.toggle() }
            let text = line.drop { $0 == "#" }
            return isCode || text.count == line.count || !text.hasPrefix(" ") ? nil : String(text.dropFirst())
        }
    }
}
