internal import ExactJSON

/// The messages of a room that may be reported, and who has reported them.
struct AuditedReports {
    private struct Sent {
        let seq: Int
        let author: String
        var reporters: Set<String> = []
    }

    private var messages: [String: Sent] = [:]
    private(set) var count = 0

    mutating func sent(_ event: AuditedEvent) {
        guard let id = event.data["messageId"]?.text, let author = event.person("author") else { return }
        messages[id] = Sent(seq: event.seq, author: author)
    }

    mutating func removed(_ event: AuditedEvent) { if let id = event.data["messageId"]?.text { messages[id] = nil } }

    mutating func counted() { count += 1 }

    /// - Returns: what is wrong with the report; nil if it is right.
    mutating func add(_ id: String, at seq: Int, by reporter: String) -> String? {
        guard let message = messages[id], message.seq == seq else { return "of a message that is not there" }
        if message.author == reporter { return "of the reporter's own message" }
        return messages[id]?.reporters.insert(reporter).inserted == true ? nil : "that was made before"
    }
}

extension AuditedRoom {
    /// A report of a message: the number is public, everything else is between the reporter and the host.
    func messageReported(_ event: AuditedEvent) {
        var names: [String] = []
        if case .object(let members) = event.data { names = members.map(\.name) }
        require(names == ["reports"], "secret", "a report shows \(names.filter { $0 != "reports" })")
        reports.counted()
        require(event.data["reports"]?.int == reports.count, "reports", "is not number \(reports.count)")
        guard knowsSecrets else { return }
        let reporter = event.secret?["reporter"]?["id"]?.text ?? ""
        require(roles[reporter] != nil && !banned.contains(reporter), "rights", "a report by a banned person or a non-member")
        let (message, place) = (event.secret?["messageId"]?.text ?? "", event.secret?["messageSeq"]?.int ?? 0)
        if let problem = reports.add(message, at: place, by: reporter) { report("reports", "a report \(problem)") }
    }
}
