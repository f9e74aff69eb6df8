internal import ExactJSON

/// How long a page of a list may be: so many rows, and it ends with the row that reaches so many bytes.
struct PageBound: Sendable {
    let rows: Int
    let bytes: Int

    /// Writes rows as long as there is space, at least one.
    /// - Returns: The last one that was written, if there are more.
    func write<Rows: Sequence>(
        _ rows: Rows, to json: inout JSONWriter, _ writeRow: (Rows.Element, inout JSONWriter) -> Void
    ) -> Rows.Element? {
        var (count, last) = (0, Rows.Element?.none)
        for row in rows {
            if let last, count == self.rows || json.bytes.count >= bytes { return last }
            writeRow(row, &json)
            (count, last) = (count + 1, row)
        }
        return nil
    }
}
