extension Int {
    /// The sum, or the nearest integer if there is none: for numbers of a stored row, which no hash covers, so that a damaged one
    /// does not end the process.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
