internal import ExactJSON

/// Maximum size of a page of a list: a number of rows, and a number of bytes that only the last row may exceed.
struct PageBound: Sendable {
    let rows: Int
    let bytes: Int

    /// Writes a member with rows, at least one, until the page is full.
    /// - Returns: the last row written, if more follow; else nil.
    func write<Rows: Sequence>(
        _ name: StaticString, _ rows: Rows, to json: inout JSONWriter, _ writeRow: (Rows.Element, inout JSONWriter) -> Void
    ) -> Rows.Element? {
        var (count, last, isFull) = (0, Rows.Element?.none, false)
        json.member(
            name,
            array: { json in
                for row in rows {
                    isFull = last != nil && (count == self.rows || json.count >= bytes)
                    if isFull { break }
                    writeRow(row, &json)
                    (count, last) = (count + 1, row)
                }
            })
        return isFull ? last : nil
    }
}
