internal import AuctionDomain

/// The words that stand for a value of `format`, `countdown` or `tie`: the value itself in any case, and usual names of formats in English,
/// Chinese and German.
enum LotWords {
    /// The names of each format, as `LotHeadings.words` reduces them.
    private static let formats: KeyValuePairs<AuctionFormatName, String> = [
        .english: """
        englishauction englisch englischeauktion englischeversteigerung ascending aufsteigend 英式 英式拍卖 英式拍賣 英格兰式 英格兰式拍卖 \
        增价 增价拍卖 增價拍賣 加价拍卖 加價拍賣
        """,
        .dutch: """
        dutchauction holländisch holländischeauktion holländischeversteigerung niederländisch niederländischeauktion descending \
        absteigend 荷兰式 荷蘭式 荷兰式拍卖 荷蘭式拍賣 荷式 荷式拍卖 降价 降价拍卖 降價拍賣 减价拍卖 減價拍賣
        """,
        .sealedFirstPrice: """
        sealed sealedbid sealedbidauction sealedauction firstprice firstpricesealedbid verdeckt verdeckteauktion geheim erstpreisauktion \
        höchstpreisauktion 密封 密封式 密封拍卖 密封拍賣 密封式拍卖 密封式拍賣 密封投标 密封投標 密封递价 暗标 暗標 暗拍 密封第一价格 第一价格密封拍卖
        """,
        .vickrey: """
        vickreyauction vickreyauktion secondprice secondpricesealedbid secondpriceauction zweitpreis zweitpreisauktion 维克里 維克里 \
        维克里拍卖 維克里拍賣 维克瑞 维克瑞拍卖 维克里式 第二价格 第二價格 第二价格拍卖 第二价格密封拍卖 次价拍卖
        """,
    ]

    /// The values of each column by their words.
    private static let values: [String: [String: String]] = {
        let names = formats.flatMap { format, words in
            (words.split(whereSeparator: \.isWhitespace).map(String.init) + [format.rawValue.lowercased()]).map {
                ($0, format.rawValue)
            }
        }
        func byWord(_ values: [String]) -> [String: String] {
            Dictionary(values.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        }
        return [
            "format": Dictionary(names, uniquingKeysWith: { first, _ in first }),
            "countdown": byWord(Countdown.allCases.map(\.rawValue)), "tie": byWord(TiePolicy.allCases.map(\.rawValue)),
        ]
    }()

    /// The value that a cell of a column stands for; nil if it is none of them.
    static func value(_ column: String, _ cell: String) -> String? {
        guard let values = values[column], cell.utf8.count <= 200 else { return nil }
        return values[LotHeadings.words(of: cell).joined()]
    }
}
