package import Permissions

/// Lots of a file, to be added or, where their reference is known, updated: all of them or none.
package struct ImportLots: Hashable, Sendable {
    /// A row that could be read.
    package struct Row: Hashable, Sendable {
        /// The line of the file at which the row begins, from 1.
        package let line: Int
        /// The lot that the row describes.
        package let lot: QueueLot
        /// The members of an existing lot that the row changes: those that the row has. Nil: all.
        package let changes: LotChanges?

        package init(line: Int, lot: QueueLot, changes: LotChanges? = nil) {
            self.line = line
            self.lot = lot
            self.changes = changes
        }
    }

    /// Rows in the order of the file.
    package let rows: [Row]
    /// What is wrong with rows that could not be read. If there is any, nothing is imported.
    package let problems: [RowProblem]
    /// Whether the file is a table: its problems name columns instead of the paths of members.
    package let isTable: Bool
    /// The headings of a table's columns that mean nothing to an import, for the response.
    package let ignoredColumns: [String]

    package init(rows: [Row], problems: [RowProblem] = [], isTable: Bool = false, ignoredColumns: [String] = []) {
        self.ignoredColumns = ignoredColumns
        self.rows = rows
        self.problems = problems
        self.isTable = isTable
    }

    /// Most rows of one import.
    package static let rowLimit = 1000
}

/// Why a row of an import was refused.
package struct RowProblem: Hashable, Sendable {
    /// The line of the file at which the row begins, from 1.
    package let line: Int
    /// The path of the member, such as `rules.format`; nil: the row as a whole.
    package let field: String?
    /// The same codes as in refusals of single lots, such as `lot.not_queued`.
    package let code: String
    /// The explanation that clients show, in English and Chinese.
    package let text: LocalizedText
    /// The reference of a row that could not be read, if it has one: no later row may have it either. Nil for other rows.
    package let reference: String?

    package init(line: Int, field: String?, code: String, text: LocalizedText, reference: String? = nil) {
        self.line = line
        self.field = field
        self.code = code
        self.text = text
        self.reference = reference
    }
}

/// A lot that an import added, changed or found as it is.
package struct ImportedLot: Hashable, Sendable {
    /// What the import did with a row.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case added
        case changed
        /// The lot has the values of the row, and waits for its turn or has it.
        case unchanged
        /// The lot has the values of the row, and was sold before.
        case sold
        /// The lot has the values of the row, and was passed before.
        case passed
        /// The lot has the values of the row, and was withdrawn before.
        case withdrawn
        /// The lot has the values of the row, and its sale was voided before.
        case voided

        /// What becomes of a row that equals a lot in this state.
        init(unchanged state: Lot.State) {
            self =
                switch state {
                case .queued, .current: .unchanged
                case .sold: .sold
                case .passed: .passed
                case .withdrawn: .withdrawn
                case .voided: .voided
                }
        }
    }

    /// The line of its row.
    package let line: Int
    /// The lot of the row.
    package let lot: LotID
    /// What the import did.
    package let outcome: Outcome
}
