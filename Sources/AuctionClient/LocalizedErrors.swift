public import AuctionClientCore
public import Foundation

// So that `localizedDescription` is a sentence. A refusal has its text in the client's language; the others are in English.

extension AuctionError: LocalizedError {
    /// What the service says to people; otherwise the description.
    public var errorDescription: String? {
        if case .refused(let refusal) = self { refusal.detail } else { description }
    }
}

extension StopReason: LocalizedError {
    /// What the service says to people; otherwise the description.
    public var errorDescription: String? {
        switch self {
        case .unauthorized(let problem), .forbidden(let problem), .notFound(let problem), .refused(let problem): problem.detail
        default: description
        }
    }
}

extension MoneyError: LocalizedError {
    /// The `description`, which is in English.
    public var errorDescription: String? { description }
}

extension TransportError: LocalizedError {
    /// The `description`, which is in English.
    public var errorDescription: String? { description }
}

extension SignedOut: LocalizedError {
    /// The `description`, which is in English.
    public var errorDescription: String? { description }
}
