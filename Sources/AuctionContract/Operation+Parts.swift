extension Operation {
    /// A parameter of an operation's path, query or headers.
    package struct Parameter: Sendable {
        /// Where it stands in a request; the raw value is OpenAPI's.
        package enum Place: String, Sendable {
            case path, query, header
        }

        /// Where it stands.
        package let place: Place
        /// As requests have it.
        package let name: String
        let description: String
        /// In the short form of `ShortSchema`.
        let schema: String
        let example: Value
        let isRequired: Bool
        /// Whether its name alone may stand in the query.
        let mayBeEmpty: Bool

        static func path(_ name: String, _ description: String, _ schema: String, example: Value) -> Parameter {
            Parameter(
                place: .path, name: name, description: description, schema: schema, example: example, isRequired: true,
                mayBeEmpty: false)
        }

        static func query(
            _ name: String, _ description: String, _ schema: String, example: Value, isRequired: Bool = false,
            mayBeEmpty: Bool = false
        ) -> Parameter {
            Parameter(
                place: .query, name: name, description: description, schema: schema, example: example,
                isRequired: isRequired, mayBeEmpty: mayBeEmpty)
        }

        static func header(_ name: String, _ description: String, _ schema: String, example: Value) -> Parameter {
            Parameter(
                place: .header, name: name, description: description, schema: schema, example: example, isRequired: false,
                mayBeEmpty: false)
        }
    }

    /// The body of a request.
    package struct Body: Sendable {
        let content: [Content]
        let isRequired: Bool
        let description: String?

        init(content: [Content], isRequired: Bool = true, _ description: String? = nil) {
            self.content = content
            self.isRequired = isRequired
            self.description = description
        }

        /// JSON of a schema, with an example.
        init(_ schema: String, _ example: String, isRequired: Bool = true, _ description: String? = nil) {
            self.init(content: [Content("application/json", schema, example)], isRequired: isRequired, description)
        }

        /// JSON of a schema, with several examples.
        init(_ schema: String, examples: [Example], isRequired: Bool = true, _ description: String? = nil) {
            self.init(content: [Content("application/json", schema, examples: examples)], isRequired: isRequired, description)
        }
    }

    /// A body in one media type.
    package struct Content: Sendable {
        let mediaType: String
        /// In the short form of `ShortSchema`.
        let schema: String
        let examples: [Example]

        init(_ mediaType: String, _ schema: String, _ example: String) {
            self.init(mediaType, schema, examples: [Example("", "", example)])
        }

        init(_ mediaType: String, _ schema: String, text: String) {
            self.init(mediaType, schema, examples: [Example(name: "", summary: "", value: .text(text))])
        }

        init(_ mediaType: String, _ schema: String, examples: [Example]) {
            self.mediaType = mediaType
            self.schema = schema
            self.examples = examples
        }
    }

    /// An example of a body: the only one, or one of several with a name and a few words each.
    package struct Example: Sendable {
        let name: String
        let summary: String
        let value: Value

        init(name: String, summary: String, value: Value) {
            self.name = name
            self.summary = summary
            self.value = value
        }

        init(_ name: String, _ summary: String, _ json: String) {
            self.init(name: name, summary: summary, value: .json(json))
        }
    }

    /// A value of an example.
    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
        case text(String)
        /// As the text of a JSON document.
        case json(String)

        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int) { self = .json(String(value)) }
        package init(booleanLiteral value: Bool) { self = .json(String(value)) }
    }

    /// A header of a response beside those of all responses of its kind.
    package struct Header: Sendable, ExpressibleByStringLiteral {
        let name: String
        /// The name of a header of the contract, or a Header Object as JSON.
        let definition: String

        init(_ name: String, is definition: String) {
            self.name = name
            self.definition = definition
        }

        package init(stringLiteral value: String) { self.init(value, is: value) }

        /// A header that always has the same value, which needs no escapes in JSON.
        static func constant(_ name: String, _ value: String) -> Header {
            Header(name, is: #"{"required": true, "schema": {"const": "\#(value)"}, "example": "\#(value)"}"#)
        }
    }
}
