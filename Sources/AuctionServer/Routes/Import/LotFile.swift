internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// A file of lots: the body of an import. Each row is read as the body of a request that queues one lot.
struct LotFile: Sendable {
    /// The media types of such files.
    private enum Format: String, Sendable, CaseIterable {
        case csv = "text/csv"
        case ndjson = "application/x-ndjson"
    }

    private let format: Format
    private let encoding: FileEncoding
    /// In the file's encoding.
    private let body: [UInt8]
    private let rulebook: RoomRulebook
    private let currency: Currency
    private let limits: JSONLimits

    /// - Throws: 415 unless the body has one of the media types, in a known encoding and not compressed; for the file of an office program too.
    init(_ context: RequestContext, in currency: Currency) throws(Problem) {
        try context.refuseContentEncoding()
        // A workbook of any office, or one of before 2007, whatever the client calls it.
        if [[0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0]].contains(where: context.exchange.body.starts) {
            throw Problem(
                .unsupportedMediaType, code: "request.unsupported_media_type",
                LocalizedText(
                    "The file is a workbook (such as .xlsx): save it in the office program as \"CSV UTF-8\" and send that.",
                    "该文件是电子表格工作簿(如 .xlsx):请在办公软件中另存为“CSV UTF-8”后再上传。"))
        }
        let type = context.exchange.header("Content-Type") ?? ""
        let content = ContentType(type)
        guard let format = Format(rawValue: content.essence), let encoding = FileEncoding(charset: content.charset) else {
            throw Problem(
                .unsupportedMediaType, code: "request.unsupported_media_type",
                LocalizedText(
                    "The file must be text/csv or application/x-ndjson in UTF-8, UTF-16 or Windows-1252, not \"\(type.prefix(100))\".",
                    "文件须为 UTF-8、UTF-16 或 Windows-1252 编码的 text/csv 或 application/x-ndjson,而不是 \"\(type.prefix(100))\"。"))
        }
        self.format = format
        self.encoding = encoding
        body = context.exchange.body
        rulebook = context.rulebook
        self.currency = currency
        limits = context.loop.shared.options.limits.json
    }

    /// Reads all rows, and what is wrong with those that cannot be read. For a reader thread: the time is linear in the file's size.
    /// - Throws: 400 for a file without rows, without a good header, or that is not in its encoding.
    func rows() throws(Problem) -> ImportLots {
        let bytes = try encoding.utf8(body)
        let file = try format == .csv ? csvRows(bytes) : ndjsonRows(bytes)
        guard !file.rows.isEmpty || !file.problems.isEmpty else {
            throw .malformed("The file has no rows.", "文件中没有数据行。")
        }
        return file
    }

    private func csvRows(_ bytes: [UInt8]) throws(Problem) -> ImportLots {
        let named = CSVReader.separator(namedIn: bytes)
        var reader = CSVReader(bytes, separator: named ?? separator(of: bytes))
        if named != nil { _ = reader.next() }
        let columns: LotColumns
        switch header(&reader) {
        case .failure(let error): throw Problem(error.fault)
        case .success(let header): columns = try LotColumns(header.cells, in: currency)
        case nil: columns = try LotColumns([], in: currency)
        }
        var rows = Rows(isTable: true, read: row)
        while !rows.isOver, let next = reader.next() {
            switch next {
            case .failure(let error): rows.add(error.line) { () throws(Problem) in throw Problem(error.fault) }
            case .success(let row) where row.isBlank: continue
            case .success(let row):
                rows.add(row.line, reference: columns.reference(of: row.cells)) { () throws(Problem) in
                    try columns.object(of: row.cells)
                }
            }
        }
        return rows.file(ignoring: columns.ignored)
    }

    /// The first row that is not blank.
    private func header(_ reader: inout CSVReader) -> Result<CSVReader.Row, CSVReader.RowError>? {
        while let next = reader.next() {
            if case .success(let row) = next, row.isBlank { continue }
            return next
        }
        return nil
    }

    /// The separator of cells: the one with which the first row has most columns that mean something, or else most cells.
    private func separator(of bytes: [UInt8]) -> UInt8 {
        var best = (separator: UInt8(ascii: ","), known: 0, cells: 0)
        for separator in [",", ";", "\t"].map({ UInt8(ascii: $0) }) {
            var reader = CSVReader(bytes, separator: separator)
            guard case .success(let header) = header(&reader) else { continue }
            let known = LotColumns.known(in: header.cells, currency)
            if (known, header.cells.count) > (best.known, best.cells) { best = (separator, known, header.cells.count) }
        }
        return best.separator
    }

    private func ndjsonRows(_ bytes: [UInt8]) throws(Problem) -> ImportLots {
        var rows = Rows(isTable: false, read: row)
        var rest = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]
        var number = 0
        while !rows.isOver, !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest[line.endIndex...].dropFirst()
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            rows.add(number) { () throws(Problem) in
                do throws(JSONError) { return try JSONReader.read(Array(line), limits: limits) } catch { throw Problem(error) }
            }
        }
        return rows.file()
    }

    private func row(_ line: Int, _ value: JSONValue) throws(Problem) -> ImportLots.Row {
        var fields: JSONFields
        do throws(JSONError) { fields = try JSONFields(request: value) } catch { throw Problem(error) }
        return try fields.importRow(line, rulebook.formats, currency)
    }
}

/// The rows of a file that have been read.
private struct Rows {
    let isTable: Bool
    let read: (_ line: Int, JSONValue) throws(Problem) -> ImportLots.Row
    private var rows: [ImportLots.Row] = []
    private var problems: [RowProblem] = []
    /// Whether the file has too many rows: that is the only problem then, and no more are read.
    private(set) var isOver = false

    func file(ignoring columns: [String] = []) -> ImportLots {
        ImportLots(rows: rows, problems: problems, isTable: isTable, ignoredColumns: columns)
    }

    init(isTable: Bool, read: @escaping (_ line: Int, JSONValue) throws(Problem) -> ImportLots.Row) {
        self.isTable = isTable
        self.read = read
    }

    /// - Parameters:
    ///   - reference: that of the row, if it is known before the row is read.
    ///   - value: returns the row as the body of a request.
    mutating func add(_ line: Int, reference: String? = nil, _ value: () throws(Problem) -> JSONValue) {
        guard rows.count + problems.count < ImportLots.rowLimit else {
            let text = LocalizedText(
                "The file has more than \(ImportLots.rowLimit) rows; split it.", "文件超过 \(ImportLots.rowLimit) 行,请拆分。")
            (rows, isOver) = ([], true)
            problems = [RowProblem(line: line, field: nil, code: "request.malformed", text: text)]
            return
        }
        var reference = reference
        do throws(Problem) {
            let value = try value()
            if case .string(let text)? = value["reference"] { reference = text }
            rows.append(try read(line, value))
        } catch {
            problems.append(
                RowProblem(line: line, field: error.field, code: error.code, text: error.detail, reference: reference))
        }
    }
}

extension Problem {
    fileprivate init(_ fault: CSVReader.Fault) {
        let text =
            switch fault {
            case .unclosedQuote:
                LocalizedText("A quotation mark opens a cell and none closes it.", "单元格的引号没有闭合。")
            case .textAfterQuote:
                LocalizedText("Text follows the quotation mark that closes a cell.", "单元格的结束引号之后还有文字。")
            case .quoteInside:
                LocalizedText(
                    "A cell with a quotation mark must be quoted, and the mark doubled.", "含引号的单元格须用引号括起,并将其中的引号写成两个。")
            case .notUTF8:
                LocalizedText(
                    "The row is not valid UTF-8: save the file as \"CSV UTF-8\".", "该行不是有效的 UTF-8:请将文件另存为“CSV UTF-8”。")
            case .tooManyCells:
                LocalizedText(
                    "A row has more than \(CSVReader.cellLimit) cells.", "一行超过 \(CSVReader.cellLimit) 个单元格。")
            }
        self = .malformed(text.english, text.chinese)
    }
}
