internal import AuctionDomain

/// The headings by which a column of a lot is known: the name of its member, and usual words in English, Chinese and German.
///
/// Case, blanks and punctuation make no difference, and neither does a currency behind the word, as in `Start price (EUR)`.
enum LotHeadings {
    /// The words of each column, as `key` reduces them.
    private static let words: KeyValuePairs = [
        "name": """
        title itemname itemtitle item lotname lottitle titel bezeichnung losbezeichnung product productname object objectname artikelbezeichnung artikel artikelname objekt gegenstand \
        名称 名稱 标题 標題 品名 拍品 拍品名称 拍品名稱 物品 物品名称 商品名称 商品名稱 商品 产品 產品 产品名称 產品名稱
        """,
        "description": """
        details itemdescription lotdescription beschreibung artikelbeschreibung objektbeschreibung 描述 说明 說明 简介 簡介 详情 拍品描述
        """,
        "condition": """
        itemcondition zustand erhaltung erhaltungszustand artikelzustand 品相 成色 状态 狀態 状况 狀況
        """,
        "estimate": "est estimaterange estimatedprice schätzpreis schätzung schätzwert taxe 估价 估價 估值 预估价",
        "estimateLow": """
        lowestimate estlow lowest estimatefrom estimatemin minestimate schätzpreisvon schätzpreisunten schätzwertvon schätzungvon \
        untererschätzpreis untereschätzung taxevon 最低估价 最低估價 估价下限 估價下限 低估价
        """,
        "estimateHigh": """
        highestimate esthigh estimateto estimatemax maxestimate schätzpreisbis schätzpreisoben schätzwertbis schätzungbis \
        obererschätzpreis obereschätzung taxebis 最高估价 最高估價 估价上限 估價上限 高估价
        """,
        "reference": """
        ref lot lotno lotnr lotnumber lotid no number los losnr losnummer nr nummer katalognr katalognummer referenz referenznummer artikelnr artikelnummer \
        编号 編號 拍品编号 拍品編號 拍品号 拍品號 货号 貨號 图录号 圖錄號 序号 序號
        """,
        "media": """
        image images imageurl imageurls picture pictures pictureurl pictureurls photo photos photourl photourls bild bilder bildurl \
        bildadresse bildadressen foto fotos 图片 圖片 照片 图片地址 图片链接
        """,
        "startingPrice": """
        startprice openingprice startingbid startbid openingbid price start minimumbid minbid startpreis anfangspreis ausruf ausrufpreis ausrufspreis \
        aufrufpreis startgebot mindestgebot preis 起拍价 起拍價 起拍价格 起拍價格 开拍价 開拍價 起始价 起始價 起价 价格
        """,
        "increment": """
        bidincrement minimumincrement step bidstep steigerung steigerungsschritt steigerungsstufe erhöhung erhöhungsschritt bietschritt \
        gebotsschritt 加价幅度 加價幅度 加价 增幅 竞价阶梯
        """,
        "reservePrice": """
        reserve reserveamount mindestpreis mindestverkaufspreis limit limitpreis vorbehaltspreis 保留价 保留價 底价 底價
        """,
        "buyNowPrice": "buynow buyitnow buyitnowprice sofortkauf sofortkaufpreis sofortpreis 一口价 一口價",
        "floorPrice": "floor lowestprice untergrenze 最低价 最低價",
        "listingSeconds": "", "biddingSeconds": "", "countdown": "", "extendWindowSeconds": "", "extendBySeconds": "",
        "maxDurationSeconds": "", "dutchTickSeconds": "", "format": "auctionformat auktionsformat 拍卖方式 拍賣方式", "tie": "",
    ]

    /// The column of each word.
    private static let columns: [String: String] = Dictionary(
        words.flatMap { column, words in
            (words.split(separator: " ").map(String.init) + [column.lowercased()]).map { ($0, column) }
        }, uniquingKeysWith: { first, _ in first })

    /// The names of all columns, which are those of the members.
    static let names = words.map(\.key)

    /// A few headings of a column beside its name, for people.
    static func examples(of name: String) -> [String] {
        name == "name" ? ["Title", "Bezeichnung", "名称"] : ["Start price", "Startpreis", "起拍价"]
    }

    /// The column that a heading names; nil if it names none.
    /// - Throws: `AmountCell.Fault` if it names an amount in another currency.
    static func column(_ heading: String, in currency: Currency) throws(AmountCell.Fault) -> String? {
        // No heading is that long, and the key of one takes time.
        guard heading.utf8.count <= 200 else { return nil }
        var words = words(of: heading)
        if let column = columns[words.joined()] { return column }
        let mark = words.popLast() ?? ""
        guard let column = columns[words.joined()], LotColumns.amounts.contains(column) else {
            if let picture = numberedPictures(heading) { return picture }
            return columns[Self.words(of: heading.prefix { $0 != "(" && $0 != "[" }).joined()]
        }
        return try AmountCell.isMark(mark, of: currency, in: heading) ? column : nil
    }

    /// The column of an amount that a heading names with the mark of any currency behind it; nil if it names none.
    static func amount(_ heading: String) -> String? {
        columns[words(of: heading).dropLast().joined()].flatMap { LotColumns.amounts.contains($0) ? $0 : nil }
    }

    /// The column of pictures for `Image 1` and `Photo2`: some files have a column for each.
    private static func numberedPictures(_ heading: String) -> String? {
        let key = words(of: heading).joined()
        guard let last = key.last, last.isASCII, last.isNumber else { return nil }
        let column = columns[String(key.reversed().drop { $0.isASCII && $0.isNumber }.reversed())]
        return column == "media" ? column : nil
    }

    /// The words of a text in lower case: letters, digits and signs of currencies. A letter may have its accent apart, as some systems write
    /// it; texts that differ in this only are equal.
    static func words(of text: some StringProtocol) -> [String] {
        text.lowercased().split { character in
            !character.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || scalar.properties.generalCategory == .nonspacingMark
                    || scalar.properties.generalCategory == .currencySymbol
            }
        }.map(String.init)
    }
}
