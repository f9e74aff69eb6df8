/// The text of a table is malformed: a defect of the table, not of the product.
package struct PermissionTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position and the defect.
    package let description: String
}

/// The lines of a table about one action or operation: for kinds of callers a word in each column, which a legend explains.
struct TableBlock<CallerKind: RawRepresentable<String> & CaseIterable & Hashable, Outcome> {
    let name: String
    private let legend: [String: Outcome]
    private let columns: Int
    private let groups: [String: [CallerKind]]
    private(set) var lines: [CallerKind: [Outcome?]] = [:]

    /// - Parameters:
    ///   - entries: `letter=meaning…`, beside the common ones.
    ///   - groups: names for several kinds of callers.
    ///   - read: the outcome of a meaning; nil if it is malformed.
    init(
        _ name: String, columns: Int, legend entries: some Sequence<String>, common: [String: Outcome] = [:],
        groups: [String: [CallerKind]] = [:], read: (String) -> Outcome?
    ) throws {
        var legend = common
        for entry in entries {
            let parts = entry.split(separator: "=").map(String.init)
            guard parts.count == 2, let meaning = read(parts[1]), legend.updateValue(meaning, forKey: parts[0]) == nil else {
                throw PermissionTableError(description: "\(name): malformed legend entry \(entry)")
            }
        }
        (self.name, self.columns, self.legend, self.groups) = (name, columns, legend, groups)
    }

    /// Reads `callerKind,callerKind word word…`; `others` stands for all kinds that no line above names, a single word for every column.
    /// - Parameter plain: the outcome of a word that is no letter; nil if it is none.
    mutating func add(_ line: [String], plain: (String) -> Outcome??) throws {
        let words = line.count == 2 ? [line[0]] + repeatElement(line[1], count: columns) : line
        guard words.count == columns + 1 else {
            throw PermissionTableError(description: "\(name): \(words.joined(separator: " "))")
        }
        let outcomes = try words.dropFirst().map { word -> Outcome? in
            if let meaning = legend[word] { return meaning }
            if let meaning = plain(word) { return meaning }
            throw PermissionTableError(description: "\(name): the legend lacks the letter \(word)")
        }
        for callerKind in try callerKinds(words[0]) {
            guard lines.updateValue(outcomes, forKey: callerKind) == nil else {
                throw PermissionTableError(description: "\(name): \(callerKind) twice")
            }
        }
    }

    private func callerKinds(_ word: String) throws -> [CallerKind] {
        if word == "others" { return CallerKind.allCases.filter { lines[$0] == nil } }
        if let group = groups[word] { return group }
        return try word.split(separator: ",").map { name in
            guard let callerKind = CallerKind(rawValue: String(name)) else {
                throw PermissionTableError(description: "\(self.name): unknown kind of caller \(name)")
            }
            return callerKind
        }
    }

    func line(of callerKind: CallerKind) throws -> [Outcome?] {
        guard let outcomes = lines[callerKind] else {
            throw PermissionTableError(description: "\(name): no line for \(callerKind)")
        }
        return outcomes
    }
}
