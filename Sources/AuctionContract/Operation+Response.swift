extension Operation {
    /// A response of an operation, with its status.
    package struct Response: Sendable {
        let status: Int
        let description: String
        /// The name of a response of the contract that it is; nil for one of the operation's own.
        let shared: String?
        let content: [Content]
        let headers: [Header]
        /// Codes of the problems that it may have.
        let codes: [String]
        /// Examples of problems; empty for successful responses.
        let problems: [ProblemCase]
        /// Usual headers that it has not.
        let missing: [String]

        static func success(
            _ status: Int, _ description: String, _ schema: String, _ example: String,
            headers: [Header] = [],
            codes: [String] = []
        ) -> Response {
            success(
                status, description, content: [Content("application/json", schema, example)],
                headers: headers, codes: codes)
        }

        static func success(
            _ status: Int, _ description: String, _ schema: String, examples: [Example],
            headers: [Header] = []
        ) -> Response {
            success(
                status, description, content: [Content("application/json", schema, examples: examples)],
                headers: headers)
        }

        static func success(
            _ status: Int, _ description: String, content: [Content] = [], headers: [Header] = [],
            codes: [String] = [],
            without missing: [String] = []
        ) -> Response {
            Response(
                status: status, description: description, shared: nil, content: content, headers: headers,
                codes: codes,
                problems: [], missing: missing)
        }

        /// A refusal with one example: of the code `example`, or of the first code that has one.
        static func refusal(
            _ status: Int, _ description: String, _ codes: [String], example: String? = nil,
            with changes: String? = nil,
            content: [Content] = [], headers: [Header] = [], without missing: [String] = []
        ) -> Response {
            let code = example ?? codes.first { ProblemCode.named[$0]?.example != nil }
            return Response(
                status: status, description: description, shared: nil, content: content, headers: headers,
                codes: codes,
                problems: [ProblemCase("", "", code ?? "", with: changes)], missing: missing)
        }

        static func refusal(
            _ status: Int, _ description: String, _ codes: [String], examples: [ProblemCase],
            headers: [Header] = [],
            without missing: [String] = []
        ) -> Response {
            Response(
                status: status, description: description, shared: nil, content: [], headers: headers,
                codes: codes,
                problems: examples, missing: missing)
        }

        /// A response that stands in the contract for several operations.
        static func shared(_ status: Int, _ name: String) -> Response {
            Response(
                status: status, description: "", shared: name, content: [], headers: [], codes: [],
                problems: [],
                missing: [])
        }
    }

    /// An example of a refusal: the example of a problem code, and what is different here.
    package struct ProblemCase: Sendable {
        let name: String
        let summary: String
        let code: String
        /// Members as JSON, instead of those of the code's example.
        let changes: String?

        init(_ name: String, _ summary: String, _ code: String, with changes: String? = nil) {
            self.name = name
            self.summary = summary
            self.code = code
            self.changes = changes
        }
    }
}
