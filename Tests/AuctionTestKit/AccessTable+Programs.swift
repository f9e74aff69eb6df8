package import AuctionContract

// The columns of service tokens, which follow from the operations.
extension AccessTable {
    /// The only scope of callers of the kind `service`.
    package static let scope = ServiceScope.readFeed

    /// What a service token gets.
    enum ProgramOutcome: Equatable {
        /// In every place.
        case always(Int, String?)
        /// What the host of the room gets.
        case asHost
    }

    /// Nil for other kinds of callers, and for operations that ignore tokens: these are stated in the text.
    static func programOutcome(_ callerKind: CallerKind, _ name: String) -> ProgramOutcome? {
        guard callerKind == .service || callerKind == .operator else { return nil }
        guard let operation = Operation.all.first(where: { $0.name == name }) else {
            // Of the operations that only the documents have, one is for persons.
            return name == "openSocket" ? .always(403, "token.not_a_person") : nil
        }
        switch operation.access {
        case .anonymous, .operator: return nil
        case .service(let needed):
            if callerKind == .service, needed != scope { return .always(403, "scope.missing") }
            // The cursor of the example is of another log, and is looked at before the webhook.
            if name == "replayWebhook" { return .always(410, "feed.cursor_gone") }
            return missing[name].map { .always(404, $0) } ?? .always(operation.successStatus, nil)
        case .optional, .required:
            if operation.isReadByOperators { return callerKind == .service ? .always(403, "scope.missing") : .asHost }
            guard operation.takesOperators else { return .always(403, "token.not_a_person") }
            if callerKind == .service { return .always(403, "scope.missing") }
            // As an auctioneer, which the host is not.
            return name == "uploadItem" ? .always(201, nil) : .asHost
        }
    }

    /// Operations on an object that the test has not.
    private static let missing: [String: String] = {
        let ofWebhooks = [
            "changeWebhook", "deleteWebhook", "pauseWebhook", "resumeWebhook", "rotateWebhookSecret", "listDeliveries",
            "resendDeliveries", "testWebhook",
        ]
        var missing = Dictionary(uniqueKeysWithValues: ofWebhooks.map { ($0, "webhook.not_found") })
        missing["revokeServiceToken"] = "token.not_found"
        return missing
    }()
}
