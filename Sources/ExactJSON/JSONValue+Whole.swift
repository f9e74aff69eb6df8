extension JSONValue {
    /// The literal of a number as a whole number, however it is written (JSON Schema's `integer`): `7`, `7.0`, `7e2`.
    ///
    /// - Returns: nil with a fraction, and beyond what `Int` holds.
    static func whole(_ literal: String) -> Int? {
        if let int = Int(literal) { return int }
        let parts = literal.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, abs(exponent) <= 400 else { return nil }
        var digits = String(mantissa[0] + fraction)
        var zeros = exponent - fraction.utf8.count
        while zeros < 0, digits.hasSuffix("0") {
            digits.removeLast()
            zeros += 1
        }
        // What is left of a zero is its sign, or nothing.
        if digits.isEmpty || digits == "-" { return 0 }
        guard zeros >= 0 else { return nil }
        return digits.allSatisfy { $0 == "0" || $0 == "-" } ? 0 : Int(digits + String(repeating: "0", count: zeros))
    }
}
