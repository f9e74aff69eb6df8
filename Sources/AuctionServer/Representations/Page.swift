internal import ExactJSON

/// Maximum size of a page of a list: a number of rows, and a number of bytes that only the last row may exceed.
struct PageBound: Sendable {
    let rows: Int
    let bytes: Int

    /// Writes rows, at least one, until the page is full.
    /// - Returns: the last row written, if more follow; else nil.
    func write<Rows: Sequence>(
        _ rows: Rows, to json: inout JSONWriter, _ writeRow: (Rows.Element, inout JSONWriter) -> Void
    ) -> Rows.Element? {
        var (count, last) = (0, Rows.Element?.none)
        for row in rows {
            if let last, count == self.rows || json.count >= bytes { return last }
            writeRow(row, &json)
            (count, last) = (count + 1, row)
        }
        return nil
    }
}
