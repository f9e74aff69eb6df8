/// The page about all problem codes, `openapi/problem-codes.md`.
enum ProblemCodesPage {
    static var markdown: String {
        introduction + ProblemCode.all.map { "| `\($0.code)` | \($0.status) | \($0.meaning) |\n" }.joined()
    }

    private static let introduction = """
        # Problem codes

        The `code` of a refusal is for programs: it never changes its meaning, and new ones may come. A refusal is an RFC 9457 problem; its `type`
        is a path of the server that explains the kind of problem, and `detail` is a sentence for people in the language of `Accept-Language`
        (`en`, `zh`). A refusal by the permission center has the code of the rule that denied; [permission-rules.md](permission-rules.md) has an
        example for each rule.

        | code | status | meaning |
        | --- | --- | --- |

        """
}
