import AuctionDomain
import Permissions
import Testing

struct DisplayNameTests {
    @Test(arguments: [
        "Ann", "Ann Lee", "O'Brien-Smith", "李雷", "山田 太郎", "김철수", "Ωmega", "Ирина", "محمد", "דוד", "ไทย", "x", "7", "?", "€",
        // Combining marks, composed or not.
        "e\u{301}", "é", "Zoë",
        // Joiners of Persian and Indic scripts.
        "می\u{200C}خواهم", "क्\u{200D}ष", "ශ්\u{200D}රී", "ര\u{200D}യ", "ന്\u{200D}", "র\u{200D}্যা",
        // Emoji: alone, with a skin tone, joined, flags, keycaps, selectors.
        "👍", "👩🏽", "👩🏽‍💻", "👨‍👩‍👧‍👦", "❤️", "❤️‍🔥", "🏳️‍🌈", "🇨🇳", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "1️⃣", "☀︎", "⌚︎",
        "葛\u{E0100}城", "٢\u{0600}",
    ])
    func `common names in many scripts are accepted unchanged`(_ name: String) {
        #expect(DisplayName.problem(in: name) == nil)
        #expect(DisplayName.cleaned(name, limit: 40) == name)
    }

    @Test(arguments: [
        "", " ", "\u{3000}", "\u{A0}\u{2003}", "\n", "\t", "Ann\n", "\u{0}", "\u{7F}", "\u{85}", "a\rb",
        // Line and paragraph separators.
        "\u{2028}", "a\u{2029}b",
        // Zero width.
        "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "a\u{200B}b", "Ad\u{200D}min",
        "👍\u{200D}\u{200D}💻",
        "\u{34F}", "\u{180E}", "\u{2063}",
        // Fillers and blanks.
        "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{2800}", "\u{2800} \u{2800}", "\u{17B4}", "\u{FE0F}",
        "a\u{FE0F}\u{FE0F}",
        // Combining marks without a base character.
        "\u{301}", "\u{20E3}",
        // Bidirectional control characters.
        "\u{202A}", "\u{202E}gpj", "a\u{202C}", "\u{2066}a\u{2069}", "\u{2067}", "\u{2068}", "\u{200E}a", "a\u{200F}",
        "\u{61C}a",
        // Interlinear annotations, tags without a flag, old format characters.
        "a\u{FFF9}b\u{FFFB}", "\u{E0041}", "a\u{E0001}", "\u{206A}a", "\u{1D173}a",
        // Private use, and unassigned.
        "\u{E000}", "\u{F8FF}", "\u{100000}", "\u{378}", "a\u{FFFE}", "\u{10FFFF}", "\u{2065}a",
    ])
    func `invisible, bidirectional and unassigned characters are rejected`(_ name: String) throws {
        let problem = try #require(DisplayName.problem(in: name))
        #expect(
            problem.english.unicodeScalars.allSatisfy { $0.isASCII }, "the text of the problem does not do what the name did")
        if let cleaned = DisplayName.cleaned(name, limit: 40) { #expect(DisplayName.problem(in: cleaned) == nil) }
    }

    @Test func `cleaning removes rejected characters and truncates between characters`() {
        #expect(DisplayName.cleaned("\u{202E}Al\u{200B}ice\n", limit: 40) == "Alice")
        #expect(DisplayName.cleaned("\u{200B} \u{3164}", limit: 40) == nil)
        #expect(DisplayName.cleaned("abcdef", limit: 3) == "abc")
        #expect(DisplayName.cleaned("ab👩🏽‍💻", limit: 5) == "ab")
        #expect(DisplayName.cleaned("e" + String(repeating: "\u{301}", count: 99), limit: 3) == "e\u{301}\u{301}")
        #expect(DisplayName.cleaned(String(repeating: "\u{301}", count: 99), limit: 3) == nil)
    }

    @Test(arguments: [("\u{3164}", false), ("\u{200B} \u{2800}\n", false), ("\u{3164}a", true), ("👍🏽", true)])
    func `fillers and blanks show nothing`(text: String, isVisible: Bool) {
        #expect(DisplayName.isVisible(text) == isVisible)
    }
}
