import StateMachines

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command and how its response is read.
struct Command<Value: Sendable>: Sendable {
    let kind: CommandKind
    let method: String
    let target: String
    var room: String?
    var body: JSONValue?
    /// A body that is not JSON, and its media type.
    var file: (text: String, type: String)?
    var currency: Currency?
    let decode: @Sendable (JSONValue) throws(MalformedJSON) -> Value
}

extension AuctionClient {
    /// The command with its key, as it is sent now and, if need be, again.
    func pending<Value>(_ command: Command<Value>) async -> PendingCommand {
        PendingCommand(
            // Where it is not known, the exchange asks again, and reports why.
            key: UUID().uuidString.lowercased(), kind: command.kind, room: command.room, createdAt: context.bestTime,
            currency: command.currency, subject: try? await subject(), method: command.method, target: command.target,
            body: command.file?.text ?? command.body?.text, contentType: command.file?.type)
    }

    /// The user whose token a command is sent with now; nil if the token does not show it, or there is none.
    /// - Throws: `AuctionError.failed` if no token comes in the time of one attempt.
    package func subject() async throws(AuctionError) -> String? {
        let found = Mailbox<Result<String?, AuctionError>>()
        let asking = Task { [tokens = context.tokens] in
            do {
                found.put(.success(try await tokens.token(rejected: nil)?.subject))
            } catch {
                found.put(.failure(error as? AuctionError ?? .failed(.token(String(describing: error)))))
            }
        }
        let deadline = context.clock.now() + configuration.commands.attemptTimeout
        let timer = Task { [clock = context.clock] in
            await clock.sleep(until: deadline)
            found.put(.failure(.failed(.timeout)))
        }
        defer {
            asking.cancel()
            timer.cancel()
        }
        return try await found.next().get()
    }

    func perform<Value: Sendable>(_ command: Command<Value>) async throws(AuctionError) -> Value {
        let pending = await pending(command)
        return try value(of: await carryOut(pending, isResent: false, command.decode), pending, command.decode)
    }

    private func value<Value: Sendable>(
        of result: ExchangeResult, _ command: PendingCommand, _ decode: (JSONValue) throws(MalformedJSON) -> Value
    ) throws(AuctionError) -> Value {
        switch result {
        case .done(let response, _): return try runner.decoded(response, decode) { .unknown(command, $0) }
        case .refused(let refusal): throw .refused(refusal)
        case .failed(let failure, mayHaveBeenCarriedOut: true): throw .unknown(command, failure)
        case .failed(let failure, mayHaveBeenCarriedOut: false): throw .failed(failure)
        }
    }

    /// Sends a command until its outcome is known or the time is over; the store has it as long as sending it again may find out more.
    /// - Parameter decode: reads the response; one that it cannot read leaves the outcome unknown.
    private func carryOut<Value>(
        _ command: PendingCommand, isResent: Bool, _ decode: (JSONValue) throws(MalformedJSON) -> Value
    ) async -> ExchangeResult {
        if isResent {
            let age = context.bestTime.duration(since: command.createdAt)
            // It will never be sent again. One from the future may be: one of the two clocks was wrong.
            if age >= PendingCommand.lifetime { await removeFromStore(command) }
            guard age > .seconds(-600), age < PendingCommand.lifetime else {
                return .failed(.keyExpired, mayHaveBeenCarriedOut: true)
            }
            guard !command.isForAnyRound else { return .failed(.roundNotNamed, mayHaveBeenCarriedOut: true) }
        }
        if let store = configuration.commandStore, !isResent {
            do { try await store.save(command) } catch {
                return .failed(.notStored(String(describing: error)), mayHaveBeenCarriedOut: false)
            }
        }
        let request = ExchangeRequest(command, language: configuration.language)
        let result = checked(await runner.run(request, configuration.commands, isResent: isResent), of: command, decode)
        if result.isSettled { await removeFromStore(command) }
        return result
    }

    /// A success that cannot be read may be a gateway's, such as `200 {}`, and so says nothing of the command.
    private func checked<Value>(
        _ result: ExchangeResult, of command: PendingCommand, _ decode: (JSONValue) throws(MalformedJSON) -> Value
    ) -> ExchangeResult {
        guard case .done(let response, _) = result else { return result }
        do throws(AuctionError) {
            _ = try runner.decoded(response, decode) { .unknown(command, $0) }
            return result
        } catch {
            return .failed(error.failure, mayHaveBeenCarriedOut: true)
        }
    }

    private func removeFromStore(_ command: PendingCommand) async {
        guard let store = configuration.commandStore else { return }
        do { try await store.remove(command) } catch {
            // Sent again after a restart, it does nothing twice.
            context.log(.warning, "command \(command.key) was not removed from the store: \(error)", room: command.room)
        }
    }

    /// The commands that may be sent again to find out what became of them, oldest first, from the configured store. One leaves the store
    /// with its response (unless that cannot be read), with a refusal that also decides about earlier attempts (403, 409, 422), and when it
    /// is too old to be sent.
    /// - Throws: what the store throws.
    public func storedCommands() async throws -> [PendingCommand] { try await configuration.commandStore?.all() ?? [] }

    /// Sends a command again, under the same key: the service carries it out if it has not yet, and otherwise repeats its response.
    /// - Returns: the response as JSON.
    /// - Throws: `AuctionError`; `unknown` with `keyExpired` for a command older than `PendingCommand.lifetime`, which the store then forgets;
    ///   `unknown` with `roundNotNamed` for a bid or an order that names no round, and with `unreadable` for a response without the receipt
    ///   of a bid.
    @discardableResult
    public func resend(_ command: PendingCommand) async throws(AuctionError) -> JSONValue {
        let decode: (JSONValue) throws(MalformedJSON) -> JSONValue = { (json) throws(MalformedJSON) in
            // Every accepted bid has a receipt. What the responses to other commands have in common could be a gateway's too.
            guard command.kind != .placeBid || json["receipt"] != nil else { throw MalformedJSON(member: "receipt") }
            return json
        }
        return try value(of: await carryOut(command, isResent: true, decode), command, decode)
    }

    /// Sends a bid again, see `resend(_:)`.
    /// - Returns: what became of it; `unknown` with `notABid`, and nothing is sent, for another command; the same with `roundNotNamed` for a
    ///   bid that names no round.
    public func resendBid(_ command: PendingCommand) async -> BidOutcome {
        guard command.kind == .placeBid, let id = command.room else { return .unknown(command, .notABid) }
        let currency: Currency
        do throws(AuctionError) {
            currency = if let known = command.currency { known } else { try await room(id).currency() }
        } catch {
            return .unknown(command, error.failure)
        }
        return await outcome(ofBid: command, isResent: true, in: currency)
    }

    /// Sends a bid, and says what became of it.
    func outcome(ofBid command: PendingCommand, isResent: Bool, in currency: Currency) async -> BidOutcome {
        let result = await carryOut(command, isResent: isResent) { (json) throws(MalformedJSON) in
            try BidPlacement(json, currency, isReplay: false)
        }
        return BidOutcome(result, of: command, in: currency)
    }
}
