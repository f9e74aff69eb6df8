@testable import AuctionServer
import AuctionDomain
import AuctionTestKit
import ExactJSON
import MicroHTTP
import Testing

/// Imports of files as spreadsheets of offices save them.
struct OfficeFileTests {
    /// Sends the file to a new room.
    /// - Returns: The response, and for each lot its reference, name and starting price.
    private func importing(
        _ bytes: [UInt8], in currency: String, as type: String = "text/csv"
    ) throws -> (response: HTTPResponse, lots: [String]) {
        let fixture = try RoomFixture(currency: currency)
        let request = fixture.server.request(
            "POST", fixture.path + "/lots/import", bytes, by: fixture.owner, [("Content-Type", type)])
        let response = try fixture.server.send(request)
        let lots = try fixture.call("GET", "/lots", by: fixture.owner).list("lots").map { lot in
            [lot.text("reference"), lot.text("item.name"), lot.text("rules.startingPrice")].map { $0 ?? "-" }
                .joined(separator: "|")
        }
        return (response, lots)
    }

    /// An import that has to succeed.
    private func lots(_ file: String, _ currency: String = "EUR") throws -> [String] {
        let (response, lots) = try importing(Array(file.utf8), in: currency)
        #expect(response.status == 200, "\(response.bodyText)")
        return lots
    }

    @Test(arguments: [
        // A German spreadsheet, an English one, one in China, and a copy from a table.
        (
            "Los-Nr.;Bezeichnung;Startpreis;Steigerung;Datum\r\n1;Vase, blau;35,50;5,00;27.11.2026\r\n2;Krug;€ 1.200,00;5 %;\r\n",
            "EUR",
            ["1|Vase, blau|35.50", "2|Krug|1200.00"], ["Datum"]
        ),
        (
            "Lot,Title,Start price (GBP),Date,Notes\r\n1,Vase,\"1,200.00\",27/11/2026,\r\n2,Jug,£80,,\r\n", "GBP",
            ["1|Vase|1200.00", "2|Jug|80.00"], ["Date", "Notes"]
        ),
        ("编号,名称,起拍价(元),备注\r\nA-1,青花瓶,\"¥1,200.00\",\r\n", "CNY", ["A-1|青花瓶|1200.00"], ["备注"]),
        ("LOT NO.\tNAME\tSTARTING PRICE\n7\tChair; oak, old\t10\n", "EUR", ["7|Chair; oak, old|10.00"], []),
        ("Name (Titel);Price [EUR]\nVase, Jug, Bowl;1\n", "EUR", ["-|Vase, Jug, Bowl|1.00"], []),
        // Prices in two currencies, of which one is the room's.
        ("Title,Price USD,Price EUR\nVase,120,100\n", "EUR", ["-|Vase|100.00"], ["Price USD"]),
        ("Title,Price,Start price ($)\nVase,100,x\n", "EUR", ["-|Vase|100.00"], ["Start price ($)"]),
    ])
    func `separators and headings of an office are understood, and other columns are named`(
        file: String, currency: String, lots: [String], ignored: [String]
    ) throws {
        let (response, imported) = try importing(Array(file.utf8), in: currency)
        #expect(response.status == 200 && imported == lots, "\(response.bodyText)")
        #expect(response["ignoredColumns"] == .array(ignored.map { .string($0) }))
    }

    @Test(arguments: [
        "name,startingPrice,reference,,\r\nVase,1,A,,\r\nJug,2,,,\r\n",
        "sep=,\r\nname,startingPrice,reference\r\nVase,1,A\r\nJug,2,\r\n",
        "sep=;\nname;startingPrice;reference\nVase;1;A\nJug;2\n", "name,startingPrice,reference\nVase,1,A\nJug,2\n\u{1A}",
        "\u{FEFF}sep=\t\r\nname\tstartingPrice\treference\r\nVase\t1\tA\r\nJug\t2\r\n",
        "\r\n,,\r\nname,startingPrice,reference\r\n\r\nVase,1,A\r\n , \u{A0},\r\nJug,2\r\n,,,,,,\r\n\u{1A}",
        "name,startingPrice,reference\rVase,1,A\rJug,2,\r", "name;startingPrice;reference\r\"Vase\";1;A\r;;\rJug;2\r\r",
        "name,startingPrice,reference" + String(repeating: ",", count: 200) + "\nVase,1,A\nJug,2"
            + String(repeating: ",", count: 200),
    ])
    func `empty cells at the ends, blank rows, a named separator, Ctrl-Z and line ends of any kind change nothing`(
        file: String
    ) throws {
        #expect(try lots(file) == ["A|Vase|1.00", "-|Jug|2.00"])
    }

    @Test func `cells that a row leaves out are empty ones, and cells without a heading a bad row`() throws {
        let fixture = try RoomFixture()
        func send(_ file: String) throws -> HTTPResponse {
            try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        }
        #expect(try send("reference,name,startingPrice,description\nA,Vase,1,Blue\n").status == 200)
        #expect(try send("reference,name,startingPrice,description\nA,Vase,1\n").status == 200)
        #expect(try fixture.call("GET", "/lots", by: fixture.owner).list("lots").map { $0.text("item.description") } == [""])
        let refused = try send("name,startingPrice,description,,\nVase,1,Blue, old,\nJug\nCup,2,x\n")
        #expect(refused.list("rows").map { $0.text("field") ?? "-" } == ["-", "startingPrice"])
    }

    /// The file "Unicode Text" of a spreadsheet.
    private static let table = "Lot\tTitle\tPrice\r\n1\tVase €, “blue” 壶 🫖\t\"1,200.00\"\r\n"

    private static func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
        text.utf16.flatMap { unit in
            bigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
    }

    @Test(arguments: [
        (utf16("\u{FEFF}" + table), "text/csv"), (utf16("\u{FEFF}" + table, bigEndian: true), "text/csv"),
        (utf16("\u{FEFF}" + table), "text/csv; charset=utf-8"), (utf16("\u{FEFF}" + table), "text/csv; charset=UTF-16"),
        (utf16(table), "text/csv"), (utf16(table, bigEndian: true), "text/csv; charset=utf-16"),
        (utf16(table), "text/csv; charset=utf-16le"), (utf16(table, bigEndian: true), "text/csv; charset=\"utf-16be\""),
        (Array(("\u{FEFF}" + table).utf8), "text/csv; charset=windows-1252"), (Array(table.utf8), "text/csv"),
    ])
    func `a file is read in the encoding of its byte-order mark or charset`(bytes: [UInt8], type: String) throws {
        let (response, lots) = try importing(bytes, in: "EUR", as: type)
        #expect(response.status == 200 && lots == ["1|Vase €, “blue” 壶 🫖|1200.00"], "\(response.bodyText)")
    }

    @Test(arguments: ["windows-1252", "ISO-8859-1"])
    func `a file of an old system is read by its charset`(charset: String) throws {
        let bytes: [UInt8] =
            Array("Bezeichnung;Startpreis\nGef".utf8) + [0xE4, 0xDF, 0x20, 0x96, 0x20, 0x8A] + Array(";25,50 ".utf8) + [
                0x80, 0x0A,
            ]
        let (response, lots) = try importing(bytes, in: "EUR", as: "text/csv; charset=\(charset)")
        #expect(response.status == 200 && lots == ["-|Gefäß – Š|25.50"], "\(response.bodyText)")
    }

    @Test func `lines of JSON may be in UTF-16 too`() throws {
        let line = Self.utf16("\u{FEFF}{\"name\":\"壶\",\"rules\":{\"startingPrice\":\"1\"}}\r\n")
        #expect(try importing(line, in: "EUR", as: "application/x-ndjson").lots == ["-|壶|1.00"])
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0x00, 0xD8], [0xFE, 0xFF, 0xDC, 0x00, 0x00, 0x61], [0x61, 0x00, 0x00],
            [0xFF, 0xFE], [0xFE], [0x00],
            [0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func `a file that is not in its encoding is refused`(bytes: [UInt8]) throws {
        let (response, _) = try importing(bytes, in: "EUR")
        #expect(response.status == 400, "\(response.bodyText)")
    }

    @Test(arguments: [
        ("35,50", "EUR", "35.50"), ("35,5", "EUR", "35.5"), ("€ 25,50", "EUR", "25.50"), ("25,50\u{A0}€", "EUR", "25.50"),
        ("EUR 25", "EUR", "25"), ("25 eur", "EUR", "25"), ("25,-", "EUR", "25"), ("25,– €", "EUR", "25"),
        ("1,200.00", "EUR", "1200.00"),
        ("1.200,00", "EUR", "1200.00"), ("1.234.567,89", "EUR", "1234567.89"), ("1,234,567", "EUR", "1234567"),
        ("1.234.567", "EUR", "1234567"), ("1\u{202F}234\u{202F}567,8", "EUR", "1234567.8"), ("1 200", "EUR", "1200"),
        ("CHF 1'200.50", "CHF", "1200.50"), ("1’200.–", "CHF", "1200"), ("$1,200.00", "USD", "1200.00"), ("US$ 5", "USD", "5"),
        ("¥1,200", "JPY", "1200"), ("1200円", "JPY", "1200"), ("1.200", "KWD", "1.200"), ("₹1,00,000.50", "INR", "100000.50"),
        ("\u{FFE5}120", "CNY", "120"), ("\u{FFE5}1,200", "JPY", "1200"), ("\u{FFE1}80", "GBP", "80"),
        ("\u{FFE6}500", "KRW", "500"),
        ("\u{FF04}5", "USD", "5"), ("US\u{FF04} 5", "USD", "5"), ("EUR € 120", "EUR", "120"), ("120 €EUR", "EUR", "120"),
        ("1.200,-", "EUR", "1200"), ("1.200,– €", "EUR", "1200"), ("1'200.-", "CHF", "1200"), ("1.234.567,-", "EUR", "1234567"),
        ("1.20,-", "EUR", "1.20,-"),
        ("1，200．50", "CNY", "1200.50"), ("元１２０", "CNY", "120"), ("0,500", "KWD", "0.500"),
        // No amounts: the domain says so.
        ("", "EUR", ""), ("x", "EUR", "x"), ("-5", "EUR", "-5"), ("1,20,00", "EUR", "1,20,00"), ("1.2.3", "EUR", "1.2.3"),
        ("1,,2", "EUR", "1,,2"), ("1e5", "EUR", "1e5"), ("(5)", "EUR", "(5)"), ("1 2", "EUR", "1 2"),
        ("1.200.00", "EUR", "1.200.00"),
        ("about 5", "EUR", "about 5"), ("1,200 000", "EUR", "1,200 000"),
    ])
    func `an amount is read as people write it`(cell: String, code: String, literal: String) throws {
        let currency = try #require(Currency(code: code))
        #expect(try AmountCell.literal(cell, in: currency) == literal)
    }

    @Test(arguments: [
        ("1,200", "EUR", "thousands"), ("1.200", "EUR", "thousands"), ("€ 12,345", "EUR", "thousands"),
        ("1,200", "KWD", "thousands"),
        ("$ 25", "EUR", "EUR"), ("\u{FFE5}25", "EUR", "EUR"), ("EUR $ 25", "EUR", "EUR"), ("USD 25", "EUR", "EUR"),
        ("25 €", "CNY", "CNY"), ("£5", "CHF", "CHF"),
    ])
    func `an amount of two meanings or of another currency is a bad row that says so`(
        cell: String, currency: String, word: String
    ) throws {
        for (column, index) in [("startingPrice", 0), ("increment", 1)] {
            let cells = index == 0 ? "\"\(cell)\",1" : "1,\"\(cell)\""
            let (response, _) = try importing(Array("name,startingPrice,increment\nVase,\(cells)\n".utf8), in: currency)
            let row = try #require(response.list("rows").first)
            #expect(response.status == 422 && row.text("field") == column && row.text("code") == "money.malformed")
            #expect(row.text("detail")?.contains(word) == true, "\(response.bodyText)")
        }
    }

    @Test(arguments: [
        "Referenz;Losbezeichnung;Mindestgebot;Steigerungsstufe;Mindestverkaufspreis\nA;Vase;10;2;20\n",
        "Artikelnummer;Objekt;Ausruf;Bietschritt;Reserve\nA;Vase;10;2;20\n",
        "Lot no;Product;Minimum bid;Erh\u{F6}hung;Limit\nA;Vase;10;2;20\n",
        "Losnummer;Object;Start;Erho\u{308}hung;Limit\nA;Vase;10;2;20\n",
        "货号,商品名称,起拍价格,加价幅度,保留价\nA,Vase,10,2,20\n", "拍品号,商品名称,开拍价(\u{FFE5}),加价,底价\nA,Vase,10,2,20\n",
        "Lot no,Object,Opening bid,Bid increment,Reserve\nA,Vase,10,2,20\n",
    ])
    func `usual words name a column, also with the accents of letters apart`(file: String) throws {
        let fixture = try RoomFixture(currency: file.contains("\u{FFE5}") ? "CNY" : "EUR")
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 200 && response["ignoredColumns"] == [], "\(response.bodyText)")
        let lot = try #require(try fixture.call("GET", "/lots", by: fixture.owner).list("lots").first)
        #expect(lot.text("reference") == "A" && lot.text("item.name") == "Vase")
        #expect(lot.text("rules.startingPrice") == "10.00" && lot.text("rules.increment.fixed") == "2.00")
        #expect(lot.text("rules.reservePrice") == "20.00")
    }

    @Test(arguments: [
        ("English", "english"), ("ENGLISCH", "english"), ("Englische Auktion", "english"), ("英式", "english"),
        ("英式拍卖", "english"), ("sealedfirstprice", "sealedFirstPrice"), ("Sealed first-price", "sealedFirstPrice"),
        ("密封", "sealedFirstPrice"), ("Vickrey", "vickrey"), ("维克里", "vickrey"), ("", "english"),
    ])
    func `a format may have its usual name, in any case`(cell: String, format: String) throws {
        let fixture = try RoomFixture()
        let file = "name,startingPrice,format,countdown,tie\nVase,10,\(cell),,Earliest\nJug,10,English,Reset,\n"
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 200, "\(response.bodyText)")
        let lots = try fixture.call("GET", "/lots", by: fixture.owner).list("lots")
        #expect(lots.map { $0.text("rules.format") } == [format, "english"])
        #expect(lots.last?.text("rules.countdown") == "reset")
    }

    @Test func `a Dutch lot may be named in German, and an unknown format is a bad row`() throws {
        let header = "Titel;Startpreis;Steigerung;floorPrice;dutchTickSeconds;Auktionsformat\n"
        #expect(try lots(header + "Vase;100;10;50;5;Holl\u{E4}ndisch\n") == ["-|Vase|100.00"])
        let (response, _) = try importing(Array((header + "Vase;100;10;50;5;schnell\n").utf8), in: "EUR")
        #expect(response.status == 422 && response.text("rows.0.field") == "format")
    }

    @Test(arguments: [
        "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/octet-stream",
    ])
    func `a workbook is refused with what to do instead, whatever its type is called`(type: String) throws {
        let (response, _) = try importing([0x50, 0x4B, 0x03, 0x04, 0x14, 0x00], in: "EUR", as: type)
        #expect(response.status == 415 && response.text("detail")?.contains("CSV UTF-8") == true, "\(response.bodyText)")
    }

    @Test(arguments: [
        "https://x/a.jpg https://x/b.jpg", "https://x/a.jpg,https://x/b.jpg", "https://x/a.jpg, https://x/b.jpg,",
        "https://x/a.jpg;https://x/b.jpg;",
        "https://x/a.jpg | https://x/b.jpg", "https://x/a.jpg|https://x/b.jpg", "https://x/a.jpg\r\nhttps://x/b.jpg\n",
        ";https://x/a.jpg;;https://x/b.jpg",
    ])
    func `a cell may have several addresses of pictures`(cell: String) throws {
        let fixture = try RoomFixture()
        let file = "name,startingPrice,media\nVase,1,\"\(cell)\"\nJug,1,\"https://x/w_3,h_2;a.jpg\"\n"
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 200, "\(response.bodyText)")
        let media = try fixture.call("GET", "/lots", by: fixture.owner).list("lots").map { $0.at("item.media") }
        #expect(media == [["https://x/a.jpg", "https://x/b.jpg"], ["https://x/w_3,h_2;a.jpg"]])
    }

    @Test func `pictures may have a column each, in the order of the columns`() throws {
        let fixture = try RoomFixture()
        let file = """
            Title,Image 1,Price,Image2,Foto (3)
            Vase,https://x/a.jpg,1,https://x/b.jpg;https://x/c.jpg,https://x/d.jpg
            Jug,,1,https://x/b.jpg,
            Cup,,1,,
            """
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 200 && response["ignoredColumns"] == [], "\(response.bodyText)")
        let media = try fixture.call("GET", "/lots", by: fixture.owner).list("lots").map { $0.at("item.media") }
        #expect(
            media == [["https://x/a.jpg", "https://x/b.jpg", "https://x/c.jpg", "https://x/d.jpg"], ["https://x/b.jpg"], []])
    }

    @Test func `a cell with a wrong address is a bad row, which says what is wrong`() throws {
        let file = "name;startingPrice;media\nA;1;https://x/a,www.y/b\nB;1;https://x/a;\nC;1;\"https://x/a;https:///b\"\n"
        let (response, _) = try importing(Array(file.utf8), in: "EUR")
        #expect(
            response.list("rows").map { $0.int("line") } == [2, 4]
                && response.list("rows").map { $0.text("field") } == ["media", "media"])
        #expect(response.text("rows.0.detail")?.contains("address 2 must begin with https://") == true, "\(response.bodyText)")
        #expect(response.text("rows.1.detail")?.contains("address 2 has no host") == true)
    }

    @Test func `steps and percentages have decimal commas too`() throws {
        let fixture = try RoomFixture(currency: "EUR")
        let file = "Titel;Startpreis;Steigerung\nA;1;0:2,50 1.000,00:10\nB;1;2,5 %\nC;1;€ 5,00\n"
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 200, "\(response.bodyText)")
        let lots = try fixture.call("GET", "/lots", by: fixture.owner).list("lots")
        #expect(
            lots.map { $0.at("rules.increment") } == [
                ["tiers": [["from": "0.00", "step": "2.50"], ["from": "1000.00", "step": "10.00"]]],
                ["percent": .number("2.5")],
                ["fixed": "5.00"],
            ])
    }

    @Test(arguments: [
        ("Lot,Number,Title,Price\n1,1,Vase,1\n", "both mean"), ("Title,Price (USD)\nVase,1\n", "EUR"),
        ("Title,Price,Reserve (USD)\nVase,1,2\n", "EUR"),
        ("Title;Date\nVase;1\n", "Startpreis"),
        ("Price;Date\nVase;1\n", "Bezeichnung"), ("Title,$\nVase,1\n", "startingPrice"),
    ])
    func `the refusal of a first row names what is wrong`(file: String, word: String) throws {
        let (response, _) = try importing(Array(file.utf8), in: "EUR")
        #expect(response.status == 400 && response.text("detail")?.contains(word) == true, "\(response.bodyText)")
    }

    @Test func `a row with the reference of a row whose amount has two meanings is named too`() throws {
        let (response, _) = try importing(Array("Lot;Title;Price\nA;Vase;1,200\nA;Jug;5\n".utf8), in: "EUR")
        #expect(response.list("rows").map { $0.text("field") } == ["startingPrice", "reference"])
    }

    @Test func `long headings and cells are refused or ignored in bounded time`() throws {
        let long = String(repeating: "1,", count: 100_000)
        let (response, _) = try importing(Array("name;startingPrice;\"\(long)\"\nVase;\"\(long)\";\n".utf8), in: "EUR")
        #expect(response.list("rows").map { $0.text("field") } == ["startingPrice"])
    }
}
