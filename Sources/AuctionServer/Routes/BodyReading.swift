internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

// Reads request bodies; every error is a problem that names the field.
extension JSONFields {
    /// Fields in which null is allowed: it means none, or removes the value.
    private static let removable = [
        "reservePrice", "buyNowPrice", "floorPrice", "maxDurationSeconds", "dutchTickSeconds", "creditLimit",
        "amount", "maximum", "reference", "before", "startsAt", "premium",
        "estimate", "condition",
    ]

    /// The members of a request's body; throws if a field that must not be null is null.
    init(request body: JSONValue) throws(JSONError) {
        try self.init(body)
        try refuseNulls(except: Self.removable)
    }

    /// A required text, as `Prose` normalises and allows it.
    ///
    /// Length counts code points, as in JSON Schema and so in the contract; a displayed character may consist of several.
    mutating func text(_ name: String, _ length: ClosedRange<Int>) throws(Problem) -> String {
        let text = try optionalText(name, length)
        return try required(name, text)
    }

    mutating func optionalText(_ name: String, _ length: ClosedRange<Int>) throws(Problem) -> String? {
        try optionalText(name, length, Prose.normalized)
    }

    private mutating func optionalText(
        _ name: String, _ length: ClosedRange<Int>, _ normalized: (String) -> String
    ) throws(Problem) -> String? {
        do throws(JSONError) {
            guard let text = try optionalString(name).map(normalized) else { return nil }
            let count = text.unicodeScalars.count
            guard length.contains(count) else {
                throw invalid(
                    name, "must have \(length.lowerBound) to \(length.upperBound) characters, not \(count)",
                    "须为 \(length.lowerBound) 至 \(length.upperBound) 个字符,不能是 \(count) 个")
            }
            if let problem = Prose.problem(in: text) { throw invalid(name, problem) }
            return text
        } catch {
            throw Problem(error)
        }
    }

    private func required(_ name: String, _ text: String?) throws(Problem) -> String {
        guard let text else {
            throw Problem(JSONError(.missingField, field: fullName(name), "\"\(fullName(name))\" is required."))
        }
        return text
    }

    /// A required text of at most `limit` code points that shows something.
    mutating func wordedText(_ name: String, _ limit: Int) throws(Problem) -> String {
        let text = try text(name, 1...limit)
        guard DisplayName.isVisible(text) else { throw Problem(invalid(name, DisplayName.blank)) }
        return text
    }

    /// A required display name of a person, a room or an item, which has no line breaks and tabs.
    mutating func displayName(_ name: String, _ limit: Int) throws(Problem) -> String {
        let found = try optionalText(name, 1...limit, { $0 })
        let text = try required(name, found)
        if let problem = DisplayName.problem(in: text) { throw Problem(invalid(name, problem)) }
        return text
    }

    /// An optional text of one line that shows something.
    mutating func optionalLine(_ name: String, _ limit: Int) throws(Problem) -> String? {
        guard let text = try optionalText(name, 1...limit, Prose.oneLine) else { return nil }
        guard DisplayName.isVisible(text) else { throw Problem(invalid(name, DisplayName.blank)) }
        return text
    }

    /// An error about the member `name`, of which the text completes the sentence.
    private func invalid(_ name: String, _ problem: LocalizedText) -> JSONError {
        invalid(name, problem.english, problem.chinese)
    }

    /// Refuses unknown fields.
    func end() throws(Problem) { do throws(JSONError) { try finish() } catch { throw Problem(error) } }

    /// Calls `read`, and converts its errors into problems.
    mutating func taking<Value>(_ read: (inout JSONFields) throws(JSONError) -> Value) throws(Problem) -> Value {
        do throws(JSONError) { return try read(&self) } catch { throw Problem(error) }
    }
}
