internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Commands that name pictures of this server.
extension LoopHandler {
    /// Checks the addresses of pictures in a command; of a file, rows with an address that this server does not take become bad rows.
    ///
    /// A command that is refused now keeps no pictures. It is submitted as refused, since a repeat with its key gets the stored response.
    /// - Returns: The command with the pictures to be kept for it; nil if another node may have changed the room meanwhile: the request
    ///   is handled again once the room is up to date.
    /// - Throws: if the command has such an address.
    func checkPictures(
        of command: Command, in room: RoomID, by caller: Person, _ context: RequestContext
    ) throws(Problem) -> (Command, [PictureID])? {
        let command = try command.checkingMedia(shared.options.media.problem)
        let pictures = Set(command.media.compactMap { PictureID(path: $0) })
        guard !pictures.isEmpty else { return (command, []) }
        let manager = RoomManager(rulebook: shared.rulebook)
        guard let state = shared.service.rooms[room]?.view.room,
            let refusal = manager.refusalToKeepPictures(of: command, by: caller, in: state, at: context.now.wall)
        else { return (command, Array(pictures)) }
        if shared.service.isShared, !context.isFresh {
            try refresh(room, context)
            return nil
        }
        return (.refused(refusal), [])
    }

    /// Marks the pictures as kept, then calls `proceed` on this loop with the command, which is refused if that fails or one of them is not
    /// stored. If the command is refused already, it only reads which are stored, so that the bad rows of a file include those with
    /// unknown pictures. `proceed` is called even if the client has disconnected, because a command that was received is decided.
    func keep(
        _ pictures: [PictureID], of command: Command, for context: RequestContext, then proceed: @escaping (Command) -> Void
    ) {
        wait(context) { finish in
            shared.service.keepPictures { [isRefused = command.isRefused] log in
                finish(
                    Result { () throws(EventLogError) in
                        isRefused ? try log.pictures.unknown(among: pictures) : try log.pictures.keep(pictures)
                    })
            }
        } then: { [unowned self] (unknown: Result<[PictureID], EventLogError>) in
            proceed(checked(command, unknown, context))
        }
    }

    /// Not answered here if it is refused, for the same reason as in `checkPictures`: its first attempt may have been carried out, and an
    /// operator have removed the picture since.
    private func checked(
        _ command: Command, _ unknown: Result<[PictureID], EventLogError>, _ context: RequestContext
    ) -> Command {
        do throws(Problem) {
            return try command.withoutUnknownPictures(try stored(unknown, context))
        } catch {
            return .refused(Refusal(pictures: error))
        }
    }

    private func stored(
        _ unknown: Result<[PictureID], EventLogError>, _ context: RequestContext
    ) throws(Problem) -> [PictureID] {
        do throws(EventLogError) {
            return try unknown.get()
        } catch {
            shared.log.report(error, of: context.requestID)
            throw Problem(pictures: error)
        }
    }
}

extension Refusal {
    /// A problem with the pictures of a command, as the refusal whose response it is.
    fileprivate init(pictures problem: Problem) {
        let seconds = problem.headers.first { $0.name == "Retry-After" }.flatMap { Int($0.value) }
        let kind = problem.field.map { Kind.malformed(field: $0) } ?? .unavailable(retryAfterSeconds: seconds)
        self.init(kind, code: problem.code, problem.detail)
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

    /// Refuses the command for the first of these pictures that it names; of a file, only the rows with such a picture.
    fileprivate func withoutUnknownPictures(_ unknown: [PictureID]) throws(Problem) -> Command {
        try checkingMedia { address in PictureID(path: address).map(unknown.contains) == true ? .pictureUnknown : nil }
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
            problems.append(
                RowProblem(
                    line: row.line, field: found.field, code: found.code, text: found.detail, reference: row.lot.reference))
            return true
        }
        return .importLots(
            ImportLots(
                rows: rows, problems: problems.sorted { $0.line < $1.line }, isTable: file.isTable,
                ignoredColumns: file.ignoredColumns))
    }
}
