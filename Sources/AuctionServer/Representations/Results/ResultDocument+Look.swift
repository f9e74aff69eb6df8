internal import Cryptography
internal import Permissions

// The tables of the document of results, its style and its script.
extension ResultDocument {
    struct Column {
        let title: LocalizedText
        var isNumber = false
        var isTime = false
        /// A text that a user has typed, with words of any length.
        var isFree = false

        init(_ english: String, _ chinese: String, isNumber: Bool = false, isTime: Bool = false, isFree: Bool = false) {
            (title, self.isNumber, self.isTime) = (LocalizedText(english, chinese), isNumber, isTime)
            self.isFree = isFree
        }
    }

    struct Table {
        /// Its class.
        let name: String
        let columns: [Column]
        /// The column that says on a phone what the row is about; it needs no title there.
        let subject: Int

        private static let amounts = [
            Column("Hammer price", "落槌价", isNumber: true), Column("Premium", "佣金", isNumber: true),
            Column("Total", "合计", isNumber: true),
        ]
        private static let id = Column("Id", "编号")

        static let rounds = Table(
            name: "rounds",
            columns: [
                Column("Round", "轮次", isNumber: true), Column("Lot", "编号", isFree: true), Column("Item", "拍品", isFree: true),
                Column("Seller", "卖家", isFree: true), Column("Result", "结果"),
            ] + amounts + [Column("Buyer", "买家", isFree: true), Column("Closed", "结束时间", isTime: true)], subject: 3)
        static let buyers = Table(
            name: "buyers",
            columns: [Column("Buyer", "买家", isFree: true), Column("Items", "件数", isNumber: true)] + amounts + [id],
            subject: 1)
        static let sellers = Table(
            name: "sellers",
            columns: [
                Column("Seller", "卖家", isFree: true), Column("Items sold", "成交件数", isNumber: true), amounts[0], id,
            ], subject: 1)

        /// On a narrow screen a row is a few lines, in which each value has the title of its column before it.
        fileprivate var narrowStyle: String {
            let subject = ".\(name) td:nth-child(\(subject)){flex:1 0 100%;font-weight:600}"
            return columns.enumerated().filter { $0.offset + 1 != self.subject }.reduce(into: subject) { style, column in
                let cell = ".\(name) td:nth-child(\(column.offset + 1))::before"
                style += "\(cell){content:\"\(column.element.title[.english]): \"}"
                style += ":lang(zh) \(cell){content:\"\(column.element.title[.chinese]):\"}"
            }
        }
    }

    static let style =
        """
        body{font:14px/1.4 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#000;background:#fff;\
        overflow-wrap:anywhere}h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}\
        .tools:not([hidden]){display:flex;gap:.6em}button{font:inherit;min-height:44px;padding:.3em 1.4em;\
        border:1px solid #666;border-radius:2em;background:#fff;color:inherit;cursor:pointer}\
        .back a{display:inline-block;line-height:44px;color:inherit}div{overflow-x:auto}table{border-collapse:collapse;min-width:100%}\
        th,td{padding:.3em .6em;border-bottom:1px solid #999;text-align:left;vertical-align:top;overflow-wrap:break-word}\
        th{white-space:nowrap}td[data-other]{min-width:8em}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
        .v td:not(:nth-child(5)){text-decoration:line-through}\
        @media screen and (max-width:60em){body{margin:1em auto}table,tbody{display:block}\
        thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
        tr{display:flex;flex-wrap:wrap;gap:0 1em;padding:.5em 0;border-bottom:1px solid #999}\
        td,td[data-other]{border:0;padding:0;min-width:0;text-align:left;white-space:normal;overflow-wrap:anywhere}td:empty{display:none}\
        td::before{color:#555}
        """ + Table.rounds.narrowStyle + Table.buyers.narrowStyle + Table.sellers.narrowStyle
            + """
            }@media print{@page{size:landscape;margin:12mm}body{margin:0;max-width:none;padding:0;font-size:8.5pt}\
            .tools:not([hidden]),.back{display:none}div{overflow:visible}\
            th,td{padding:.2em .4em;overflow-wrap:normal;white-space:normal}.n,.t{white-space:nowrap}\
            .w{min-width:8em;overflow-wrap:anywhere}\
            thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}}
            """

    /// The language is the page's, where the reader has chosen one there. Roles: a browser forgets a table whose layout is another. A ticket
    /// opens the document once, so the address of the room replaces one with a ticket: what is loaded again is the room.
    static let script = """
        (() => {
        const root = document.documentElement, key = "auction-room.language", all = (css) => [...document.querySelectorAll(css)];
        const times = all(".t").map((e) => [e, new Date(e.textContent.replace(" ", "T").replace(" UTC", "Z"))]);
        const write = () => { for (const [e, at] of times) e.textContent = at.toLocaleString(root.lang === "zh" ? "zh-CN" : "en-GB",
        { dateStyle: "medium", timeStyle: e.localName === "td" ? "medium" : "long" }); };
        const turn = () => {
        for (const e of all("[data-other]")) [e.textContent, e.dataset.other] = [e.dataset.other, e.textContent];
        [root.lang, button.lang] = [button.lang, root.lang];
        write();
        };
        const button = document.getElementById("turn");
        let chosen = null;
        try { chosen = localStorage.getItem(key); } catch {}
        if (chosen === button.lang) turn(); else write();
        button.onclick = () => { turn(); try { localStorage.setItem(key, root.lang); } catch {} };
        document.getElementById("print").onclick = () => print();
        document.querySelector(".tools").hidden = false;
        const room = document.getElementById("room");
        if (location.search.includes("ticket=")) {
        history.replaceState(null, "", room.href);
        room.onclick = (event) => { event.preventDefault(); location.reload(); };
        }
        const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", th: "columnheader", td: "cell" };
        for (const [css, role] of Object.entries(roles)) for (const e of all(css)) e.setAttribute("role", role);
        })();
        """

    /// The policy of the response: nothing is loaded, and only its own script runs. Style and script are known by their hashes.
    static let policy: String = {
        func hash(_ text: String) -> String { "'sha256-\(Base64URL.encode(Array(SHA256.hash(text))))='" }
        return "default-src 'none'; style-src \(hash(style)); script-src \(hash(script)); base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()
}
