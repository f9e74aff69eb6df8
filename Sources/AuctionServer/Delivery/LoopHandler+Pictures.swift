internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP

// Commands that name pictures of this server.
extension LoopHandler {
    /// Marks the pictures as kept, then calls `proceed` on this loop with those that are not stored. The command is submitted also if the
    /// client has disconnected meanwhile, as every command is.
    func keep(
        _ pictures: [PictureID], for context: RequestContext, then proceed: @escaping (Set<PictureID>) throws(Problem) -> Void
    ) {
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        pendingPictures[id] = { [unowned self] result in
            do throws(Problem) {
                switch result {
                case .success(let unknown): try proceed(Set(unknown))
                case .failure(let error): throw Problem(reading: error)
                }
            } catch {
                shared.pending.leave()
                pendingCommands[id] = nil
                guard let exchange = loop.exchange(id) else { return }
                respond(error, to: exchange, context.requestID, context.language)
            }
        }
        shared.service.keepPictures { log in
            let result = Result { () throws(EventLogError) in try log.pictures.keep(pictures) }
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
        var checked = ImportLots(rows: rows, problems: problems.sorted { $0.line < $1.line })
        checked.isTable = file.isTable
        return .importLots(checked)
    }
}
