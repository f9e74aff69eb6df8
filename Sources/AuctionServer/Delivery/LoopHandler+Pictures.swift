internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Commands that name pictures of this server.
extension LoopHandler {
    /// The command, of a file without the rows whose addresses this server does not take, and the pictures to be kept for it. If it is
    /// refused as the room is, they are not kept, and it is submitted as refused: a repeat with its key gets the stored response.
    /// - Returns: nil if another node may have changed the room a moment ago: the request is handled again once the room is up to date.
    /// - Throws: if the command has such an address.
    func checkPictures(
        of command: Command, in room: RoomID, by caller: Person, _ context: RequestContext
    ) throws(Problem) -> (Command, [PictureID])? {
        let command = try command.checkingMedia(shared.options.media.problem)
        let pictures = Set(command.media.compactMap { PictureID(path: $0) })
        guard !pictures.isEmpty else { return (command, []) }
        guard let state = shared.service.rooms[room]?.view.room,
            let refusal = refusal(of: command, in: state, by: caller, at: context.now.wall)
        else { return (command, Array(pictures)) }
        if shared.service.isShared, !context.isFresh {
            try refresh(room, context)
            return nil
        }
        return (.refused(refusal), [])
    }

    /// Why the caller may not upload pictures to the room, nor name them in a file: pictures are for lots, so who may queue lots may. That
    /// the room has no place for another is no reason: it may be a lot that is there already.
    func refusalOfPictures(in state: Room, by caller: UserID, at now: Timestamp) -> Refusal? {
        let request = RuleRequest(addedLots: 0)
        let question = RuleContext(room: state, rulebook: shared.rulebook, caller: caller, at: now, request)
        return shared.rulebook.denial(of: .queueLot, in: question).map { Refusal($0) }
    }

    /// Why the command is refused as the room is; of a file, only if its caller may name no pictures, as to decide it takes long.
    private func refusal(of command: Command, in state: Room, by caller: Person, at now: Timestamp) -> Refusal? {
        if case .importLots = command { return refusalOfPictures(in: state, by: caller.id, at: now) }
        // What it would decide is discarded, so its identifiers do not matter.
        var context = DecisionContext(
            room: state, rulebook: shared.rulebook, instant: now, identifiers: IdentifierSource(instant: now, seed: 0))
        do throws(Refusal) {
            _ = try RoomManager(rulebook: shared.rulebook).decide(command, by: caller, in: &context)
            return nil
        } catch {
            return error
        }
    }

    /// Marks the pictures as kept, then calls `proceed` on this loop with the command, which is refused if one is not stored. Of a file with
    /// bad rows none is kept, but the rows with unknown pictures are added to these. It is submitted also if the client has disconnected
    /// meanwhile, as every command is.
    func keep(
        _ pictures: [PictureID], of command: Command, for context: RequestContext, then proceed: @escaping (Command) -> Void
    ) {
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        pendingPictures[id] = { [unowned self] result in
            do throws(Problem) {
                switch result {
                case .success(let unknown):
                    proceed(
                        try command.checkingMedia { address in
                            PictureID(path: address).map(unknown.contains) == true ? .pictureUnknown : nil
                        })
                case .failure(let error):
                    shared.report(error, of: context.requestID)
                    throw Problem(pictures: error)
                }
            } catch {
                shared.pending.leave()
                pendingCommands[id] = nil
                guard let exchange = loop.exchange(id) else { return }
                respond(error, to: exchange, context.requestID, context.language)
            }
        }
        shared.service.keepPictures { [isRefused = command.isRefused] log in
            let result = Result { () throws(EventLogError) in
                isRefused ? try log.pictures.unknown(among: pictures) : try log.pictures.keep(pictures)
            }
            registry.post(to: index) { handler in
                handler.pendingPictures.removeValue(forKey: id)?(result)
                handler.turnEnded()
            }
        }
    }
}

extension Command {
    /// The addresses of pictures that the command gives to items or lots.
    var media: [String] {
        switch self {
        case .uploadItem(let item): item.media
        case .queueLot(let lot): lot.item.media
        case .changeLot(_, let changes): changes.media ?? []
        case .importLots(let file): file.rows.flatMap(\.lot.item.media)
        default: []
        }
    }

    /// Refuses the command for the first address with a problem; of a file, only the rows with such an address.
    func checkingMedia(_ problem: (String) -> Problem?) throws(Problem) -> Command {
        guard case .importLots(let file) = self else {
            if let found = media.lazy.compactMap(problem).first { throw found }
            return self
        }
        var (rows, problems) = (file.rows, file.problems)
        rows.removeAll { row in
            guard let found = row.lot.item.media.lazy.compactMap(problem).first else { return false }
            problems.append(RowProblem(line: row.line, field: found.field, code: found.code, text: found.detail))
            return true
        }
        return .importLots(
            ImportLots(rows: rows, problems: problems.sorted { $0.line < $1.line }, isTable: file.isTable))
    }
}
