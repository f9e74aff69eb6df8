internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import Cryptography
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// A request, as passed to the handler of its route. A class, because every step of a request passes it on, and a copy would count the
/// references of its parts. Used on its loop's thread only.
final class RequestContext {
    let exchange: Exchange
    let loop: LoopHandler
    let path: RoutedPath
    let requestID: String
    let language: Language
    var now: Now
    /// The token of the request's ticket, kept because a ticket can be redeemed only once.
    var ticketToken: String?
    /// The items of the query, decoded on first use.
    private(set) lazy var queryItems = QueryItems(exchange.query)
    private var hasReadQuery = false
    /// The caller; nil without a token, and until it was accepted.
    var viewer: UserID?
    /// What a program of the operator does by this request; nil for users.
    private(set) var act: OperatorAct?
    /// Whether the room was loaded or refreshed from the log for this request.
    var isFresh = false

    init(
        exchange: Exchange, loop: LoopHandler, path: RoutedPath, requestID: String, language: Language, now: Now
    ) {
        self.exchange = exchange
        self.loop = loop
        self.path = path
        self.requestID = requestID
        self.language = language
        self.now = now
    }

    var route: Route { path.route }
    var parameters: PathParameters { path.parameters }
    var rulebook: RoomRulebook { loop.shared.rulebook }
    var problemContext: ProblemContext {
        ProblemContext(language: language, instance: exchange.path, requestID: requestID)
    }

    /// `LoopHandler.offload` for a room in memory.
    /// - Parameter kind: names reads of which a caller may have one at a time; nil for other reads.
    func offload(
        _ room: VisibleRoom, oneAtATime kind: String? = nil,
        _ read: @escaping @Sendable (any EventLog) throws(EventLogError) -> Response
    ) -> Reply {
        loop.offload(self, for: room.viewer, confirmedAt: room.confirmedAt, oneAtATime: kind, read)
    }

    /// The members of the body's object; an absent body counts as an empty object, and so does `null`, which some libraries send for it.
    func bodyFields() throws(Problem) -> JSONFields {
        try checkBody()
        do throws(JSONError) {
            guard exchange.hasBody else { return try JSONFields(.object([])) }
            if let frame = exchange.content as? FrameContent { return try JSONFields(request: .object(frame.members)) }
            let body = try JSONReader.read(exchange.body, limits: loop.shared.options.limits.json)
            var fields = try JSONFields(request: body == .null ? .object([]) : body)
            // It has been read; the command may have a reason of its own, which is the same.
            if act != nil, route.operation?.hasOwnReason == false { _ = fields.take(Operation.operatorReason) }
            return fields
        } catch {
            throw Problem(error)
        }
    }

    /// - Throws: 415 for a body that is no JSON, by its headers.
    func checkBody() throws(Problem) {
        guard exchange.hasBody else { return }
        try refuseContentEncoding()
        guard !exchange.header("Content-Type", is: "application/json") else { return }
        let type = exchange.header("Content-Type") ?? ""
        let content = ContentType(type)
        guard content.essence == "application/json", content.isUTF8 else {
            throw Problem(
                .unsupportedMediaType, code: "request.unsupported_media_type",
                LocalizedText(
                    "The body must be application/json in UTF-8, not \"\(type.prefix(100))\".",
                    "请求体必须为 UTF-8 编码的 application/json,而不是 \"\(type.prefix(100))\"。"))
        }
    }

    /// - Throws: 415 for a compressed body.
    func refuseContentEncoding() throws(Problem) {
        guard let coding = exchange.header("Content-Encoding"), coding.lowercased() != "identity" else { return }
        throw Problem(
            .unsupportedMediaType, code: "request.unsupported_media_type",
            LocalizedText(
                "The body must not be compressed: \"\(coding.prefix(100))\" is not decoded here.",
                "请勿压缩请求体:此处不解码 \"\(coding.prefix(100))\"。"))
    }

    /// The query's items; throws for unknown and repeated names.
    func query(_ names: String...) throws(Problem) -> QueryItems {
        hasReadQuery = true
        let items = queryItems
        if let bad = items.malformed.first {
            throw .malformed("The query has a bad escape in \"\(bad.prefix(100))\".", "查询参数转义有误。")
        }
        if let twice = items.duplicates.first {
            throw .malformed("The parameter \"\(twice)\" stands twice.", "参数 \"\(twice)\" 重复。", field: twice)
        }
        if let unknown = items.items.first(where: { !names.contains($0.name) && !isReason($0.name) }) {
            throw Problem(
                .malformedRequest, code: "request.unknown_field",
                LocalizedText(
                    "There is no parameter \"\(unknown.name)\" here"
                        + (names.isEmpty ? "." : "; known: \(names.joined(separator: ", "))."),
                    "没有参数 \"\(unknown.name)\"" + (names.isEmpty ? "。" : ",可用参数:\(names.joined(separator: "、"))。")),
                field: unknown.name)
        }
        return items
    }

    /// Whether the parameter of the query is the reason of an operator, which has been read.
    private func isReason(_ name: String) -> Bool {
        act != nil && name == Operation.operatorReason && route.operation?.saysReasonInQuery == true
    }

    /// Reads why a program of the operator acts.
    func act(by token: ServiceToken) throws(Problem) {
        let (name, limit) = (Operation.operatorReason, AuctionTransition.reasonLimit)
        // The body is read with its reason, also when the request is continued.
        act = nil
        let reason: String
        if route.operation?.saysReasonInQuery == true {
            reason = try queryItems.wordedText(name, limit)
        } else {
            var fields = try bodyFields()
            reason = try fields.wordedText(name, limit)
        }
        act = OperatorAct(token: token, reason: reason)
    }

    /// Refuses parameters that were not read, and the body of a DELETE, which says all in its path and its query.
    func endQuery() throws(Problem) {
        if !hasReadQuery, exchange.query != nil { _ = try query() }
        if route.method == .delete, exchange.hasBody { try bodyFields().end() }
    }

    /// Submits the command with the request's idempotency key.
    /// - Parameter headers: headers to add to the response.
    func submit(
        _ command: Command, to room: RoomID, by caller: Caller, headers: [(name: String, value: String)] = []
    ) throws(Problem) -> Reply {
        try endQuery()
        let key = try idempotencyKey(of: caller.person)
        guard let act else {
            try loop.commands.submit(command, of: room, in: self, by: caller.person, idempotency: key, headers: headers)
            return .later
        }
        try loop.record(act, of: self) { [self] () throws(Problem) in
            try loop.commands.submit(command, of: room, in: self, by: caller.person, idempotency: key, headers: headers)
        }
        return .later
    }

    /// Submits the command of a large body with the request's idempotency key.
    /// - Parameter read: Reads the body, on another thread.
    func submit(
        to room: RoomID, by caller: Caller, _ read: @escaping @Sendable () throws(Problem) -> Command
    ) throws(Problem) -> Reply {
        try endQuery()
        let key = try idempotencyKey(of: caller.person)
        try loop.readCommand(self, of: caller, read) { [self] command throws(Problem) in
            guard let act else {
                return try loop.commands.submit(command, of: room, in: self, by: caller.person, idempotency: key)
            }
            try loop.record(act, of: self) { [self] () throws(Problem) in
                try loop.commands.submit(command, of: room, in: self, by: caller.person, idempotency: key)
            }
        }
        return .later
    }

    /// Whether it is a command whose response is stored under an Idempotency-Key; only the sequencer knows whether it has been.
    var isKeyedCommand: Bool {
        guard route.keepsResponse, let key = exchange.header("Idempotency-Key") else { return false }
        return Self.isKey(key)
    }

    private static func isKey(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The request's Idempotency-Key, scoped to caller, method and path; nil without the header.
    func idempotencyKey(of caller: Person) throws(Problem) -> IdempotencyKey? {
        guard let key = exchange.header("Idempotency-Key") else { return nil }
        guard Self.isKey(key) else {
            throw .malformed(
                "Idempotency-Key must be 1 to 255 visible ASCII characters.", "Idempotency-Key 须为 1 至 255 个可见 ASCII 字符。",
                field: "Idempotency-Key")
        }
        let (method, path) = (exchange.method.rawValue.utf8, exchange.path.utf8)
        var scope: [UInt8] = []
        scope.reserveCapacity(UserID.textLength + method.count + path.count + key.utf8.count + 3)
        scope.append(addingCapacity: UserID.textLength) { caller.id.write(to: &$0) }
        scope.append(UInt8(ascii: " "))
        scope.append(contentsOf: method)
        scope.append(UInt8(ascii: " "))
        scope.append(contentsOf: path)
        scope.append(UInt8(ascii: " "))
        scope.append(contentsOf: key.utf8)
        let digest = SHA256.hash(data: scope).leadingBits
        // A file is no JSON: its whitespace is content, and no frame carries it.
        let isFile = route.largestBody != nil
        let body = isFile ? nil : CompactJSON.bytes(of: exchange.body, limits: loop.shared.options.limits.json)
        let query = exchange.query.map { _ in queryItems.text }
        return IdempotencyKey(
            key: digest, fingerprint: fingerprint(of: body ?? exchange.body, query))
    }

    /// The query is part of it because a DELETE has its parameters there.
    private func fingerprint(of body: [UInt8], _ query: String?) -> UInt64 {
        SHA256.hash(data: query.map { body + Array("?\($0)".utf8) } ?? body).words.0
    }
}

extension PathParameters {
    /// A parameter as an identifier; nil if it is none. The bytes as sent are one already, unless the client has escaped some.
    func id<Kind>(_ index: Int) -> Identifier<Kind>? { read(index) { Identifier($0) } ?? Identifier(self[index]) }
}
