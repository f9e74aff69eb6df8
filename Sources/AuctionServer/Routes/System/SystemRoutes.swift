internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import CContract
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions
internal import StateMachines

extension Routes {
    static let system: [Route] = [
        Route(
            .readService,
            .anonymous { context throws(Problem) in
                try context.endQuery()
                return .now(service(at: context.now.wall, hasVoice: context.loop.shared.options.voice != nil))
            }),
        Route(
            .readStateMachine,
            .anonymous { context throws(Problem) in
                try context.endQuery()
                let states = context.rulebook.states
                guard prefersDiagram(context.exchange.list("Accept")) else {
                    return .now(stateMachine(states, context.language))
                }
                let headers = [("Content-Type", "text/vnd.mermaid; charset=utf-8"), ("Cache-Control", "no-store")]
                return .now(Response(status: 200, headers: headers, body: Array(states.table.mermaid.utf8)))
            }),
        Route(.checkHealth, .anonymous { _ in .now(.json(Array(#"{"status":"ok"}"#.utf8))) }),
        Route(.checkReadiness, .anonymous { context in .now(Readiness(context.loop).response) }),
        Route(
            unlisted: "/openapi.yaml", mediaTypes: ["application/yaml"],
            .anonymous { context in .now(contract.response(to: context.exchange, yaml)) }),
        Route(
            unlisted: "/asyncapi.yaml", mediaTypes: ["application/yaml"],
            .anonymous { context in .now(streamContract.response(to: context.exchange, yaml)) }),
        Route(
            .explainProblem,
            .anonymous { context throws(Problem) in
                let type = ProblemType.all.first { $0.slug == context.parameters[0] }
                guard let type else { throw .routeNotFound }
                return .now(explain(type, context.language))
            }),
    ]

    /// The contract (OpenAPI) that is compiled into the program.
    // SAFETY: pointer and size are constants of the program that describe one array.
    private static let contract = StaticFile {
        unsafe [UInt8](UnsafeBufferPointer(start: contract_yaml_address(), count: contract_yaml_size))
    }

    /// The contract of the streams (AsyncAPI), in the same way.
    // SAFETY: as above.
    private static let streamContract = StaticFile {
        unsafe [UInt8](UnsafeBufferPointer(start: stream_contract_yaml_address(), count: stream_contract_yaml_size))
    }

    private static let yaml = [(name: "Content-Type", value: "application/yaml")]

    /// Compresses the static files, which would hold up an event loop.
    static func prepareFiles() {
        _ = (PageFile.all.count, Article.list.tag, contract.tag, streamContract.tag)
    }

    private static func service(at now: Timestamp, hasVoice: Bool) -> Response {
        var links = [
            ("openapi", "/openapi.yaml"), ("asyncapi", "/asyncapi.yaml"), ("stateMachine", "/v1/state-machine"),
            ("guests", "/v1/guests"), ("rooms", "/v1/rooms"), ("client", "/client/auction-client.js"),
            ("documentation", "/docs"),
        ]
        if hasVoice { links.append(("voice", Operation.takeVoiceToken.path)) }
        return .object(reserving: 512) { json in
            json.member("name", "auction-room")
            json.member("version", ServiceVersion.current)
            json.member("contractVersion", ServiceVersion.current)
            json.member("serverTime", now)
            json.member("links", object: { json in for (name, path) in links { json.foreignMember(name, path) } })
        }
    }

    /// Whether an Accept header prefers the diagram to the table. A client that names the diagram wants it, unless it wants the
    /// table more.
    private static func prefersDiagram(_ accept: String?) -> Bool {
        guard let accept else { return false }
        let diagram = MediaRange.preference(for: "text/vnd.mermaid", in: accept)
        guard diagram.weight > 0 else { return false }
        let table = MediaRange.preference(for: "application/json", in: accept)
        return diagram.isNamed ? diagram.weight >= table.weight : diagram.weight > table.weight
    }

    private static func stateMachine(_ states: RoomStates, _ language: Language) -> Response {
        .object(reserving: 2048) { json in
            json.member("initial", states.table.initial.rawValue)
            json.member("states", each: states.all) { state, json in
                json.object { json in
                    json.member("name", state.name.rawValue)
                    json.member("description", state.description[language])
                    json.member("allows", strings: states.allowedActions(in: state.name).lazy.map(\.rawValue))
                }
            }
            json.member("transitions", each: states.table.transitions) { transition, json in
                json.object { json in
                    json.member("from", transition.from.rawValue)
                    json.member("to", transition.to.rawValue)
                    json.member("cause", transition.trigger.rawValue)
                    json.member("by", transition.cause)
                }
            }
        }
    }

    private static func explain(_ type: ProblemType, _ language: Language) -> Response {
        .object(reserving: 1024) { json in
            json.member("type", type.path)
            json.member("title", type.title)
            json.member("status", type.status)
            json.member("explanation", type.explanation[language])
        }
    }
}
