import StateMachines

/// The shell around `Exchange`: carries out its directives until it has finished.
struct ExchangeRunner: Sendable {
    let context: ClientContext

    func run(_ request: ExchangeRequest, _ settings: ExchangeSettings, isResent: Bool = false) async -> ExchangeResult {
        let inputs = Mailbox<Exchange.Input>()
        var exchange = Exchange(
            request, settings: settings, seed: .random(in: .min ... .max), isResent: isResent, at: context.clock.now())
        var calls: [Exchange.CallID: Task<Void, Never>] = [:]
        var timer: Task<Void, Never>?
        defer {
            timer?.cancel()
            for call in calls.values { call.cancel() }
        }
        inputs.put(.start)
        return await withTaskCancellationHandler {
            while true {
                let input = await inputs.next()
                for directive in exchange.handle(input, at: context.clock.now()) {
                    switch directive {
                    case .askForToken(let id, let rejected): calls[id] = askForToken(id, rejected, inputs)
                    case .send(let id, let call): calls[id] = send(id, call, inputs)
                    case .abandon(let id): calls.removeValue(forKey: id)?.cancel()
                    case .observe(let sample): context.serverClock.observe(sample)
                    case .finish(let result): return result
                    }
                }
                timer?.cancel()
                timer = exchange.nextDeadline.map { deadline in
                    Task { [clock = context.clock] in
                        await clock.sleep(until: deadline)
                        if !Task.isCancelled { inputs.put(.timePassed) }
                    }
                }
            }
        } onCancel: {
            inputs.put(.cancel)
        }
    }

    /// The value in the response to a request without a key.
    func value<Value: Sendable>(
        _ request: ExchangeRequest, _ settings: ExchangeSettings, _ decode: (JSONValue) throws(MalformedJSON) -> Value
    ) async throws(AuctionError) -> Value {
        switch await run(request, settings) {
        case .done(let response, _): return try decoded(response, decode) { .failed($0) }
        case .refused(let refusal): throw .refused(refusal)
        case .failed(let failure, _): throw .failed(failure)
        }
    }

    /// The value in a response; a response that cannot be read is reported as `failure` says.
    func decoded<Value>(
        _ response: HTTPResponse, _ decode: (JSONValue) throws(MalformedJSON) -> Value,
        _ failure: (ExchangeFailure) -> AuctionError
    ) throws(AuctionError) -> Value {
        do {
            return try decode(response.body.isEmpty ? .null : try JSONParser.parse(response.body))
        } catch {
            let member = (error as? MalformedJSON)?.member ?? ""
            context.log(.error, "unreadable response (\(member)), request \(response.head.header("X-Request-Id") ?? "?")")
            throw failure(.unreadable(member: member))
        }
    }

    private func askForToken(
        _ id: Exchange.CallID, _ rejected: RejectedCredential?, _ inputs: Mailbox<Exchange.Input>
    ) -> Task<Void, Never> {
        Task { [tokens = context.tokens] in
            do {
                inputs.put(.token(id, try await tokens.token(rejected: rejected)))
            } catch AuctionError.failed(.network(.invalidAddress(let address))) {
                inputs.put(.failed(id, .invalidAddress(address)))
            } catch {
                inputs.put(.tokenFailed(id, String(describing: error), isFinal: error is SignedOut))
            }
        }
    }

    private func send(
        _ id: Exchange.CallID, _ call: HTTPCall, _ inputs: Mailbox<Exchange.Input>
    ) -> Task<Void, Never> {
        Task { [context] in
            do throws(TransportError) {
                let response = try await context.transport.send(call)
                context.log(.debug, "\(call.method) \(call.target): \(response.head.status)")
                inputs.put(.response(id, response))
            } catch {
                context.log(.warning, "\(call.method) \(call.target): \(error)")
                inputs.put(.failed(id, error))
            }
        }
    }
}
