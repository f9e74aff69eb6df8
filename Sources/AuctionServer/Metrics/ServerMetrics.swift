internal import AuctionDomain
internal import AuctionService
internal import Dispatch
internal import EventLog
internal import MicroHTTP

/// All metrics of a server, and their export.
final class ServerMetrics: Sendable {
    let access: MetricsAccess
    let service: ServiceMetrics
    let loops: [LoopMetrics]
    private let startedAt: Timestamp
    /// Runs one scrape at a time outside the event loops, as reading /proc blocks.
    private let queue = DispatchQueue(label: "metrics")

    init(options: ServerOptions, rulebook: RoomRulebook, startedAt: Timestamp) {
        access = MetricsAccess(token: options.metricsToken)
        service = ServiceMetrics(rulebook: rulebook)
        loops = (0..<options.http.threads).map { _ in LoopMetrics(routes: Routes.all.count + 1) }
        self.startedAt = startedAt
    }

    /// Writes all metrics as text on another thread.
    /// - Parameters:
    ///   - webhooks: nil without service tokens.
    ///   - voice: nil without an RTC service.
    ///   - done: called on that thread with the text.
    func read(
        _ service: RoomService, pending: PendingCommands, webhooks: WebhookCounters?, voice: VoiceCounters?,
        _ done: @escaping @Sendable ([UInt8]) -> Void
    ) {
        queue.async { done(Array(self.text(service, pending: pending.depth, webhooks, voice).utf8)) }
    }

    private func text(_ running: RoomService, pending: Int, _ webhooks: WebhookCounters?, _ voice: VoiceCounters?) -> String {
        var text = MetricsText()
        loops.write(to: &text)
        service.write(to: &text)
        let queued = running.queued
        text.family("auction_queue_depth", .gauge, "What waits: commands without an answer, inputs of the sequencers, batches.")
        text.sample("auction_queue_depth", ["queue": "commands"], Int64(pending))
        text.sample("auction_queue_depth", ["queue": "sequencer"], Int64(queued.sequencers))
        text.sample("auction_queue_depth", ["queue": "committer"], Int64(queued.committer))
        text.single("auction_rooms_loaded", .gauge, "Rooms in memory.", Int64(running.rooms.count))
        text.single("auction_log_writable", .gauge, "1 while the log takes events.", running.failure == nil ? 1 : 0)
        let (size, limit) = running.logSize
        text.single("auction_log_bytes", .gauge, "Bytes of the log on its disk.", size.bytes)
        text.single("auction_log_limit_bytes", .gauge, "The most that it may have; 0: no limit.", limit)
        if let free = size.freeBytes {
            text.single("auction_log_free_bytes", .gauge, "Free bytes of the log's disk.", free)
        }
        text.single(
            "auction_log_fullness", .gauge,
            "What is refused since the log fills up: 0 nothing, 1 new rooms and imports, 2 commands, 3 bids.",
            Int64(running.fullness.rawValue))
        text.single(
            "auction_pictures_writable", .gauge, "1 unless the file of pictures failed, while the log may go on.",
            running.log.pictures.failure == nil ? 1 : 0)
        let pictures = running.log.pictures.total
        text.single("auction_pictures", .gauge, "Pictures that are stored.", Int64(pictures.count))
        text.single("auction_picture_bytes", .gauge, "Their bytes.", Int64(pictures.bytes))
        webhooks?.write(to: &text)
        voice?.write(to: &text)
        writeProcess(to: &text)
        return text.text
    }

    private func writeProcess(to text: inout MetricsText) {
        let figures = ProcessFigures.read()
        text.family("process_start_time_seconds", .gauge, "When the server was made, in Unix time.")
        text.sample("process_start_time_seconds", [:], seconds: Double(startedAt.milliseconds) / 1000)
        text.family("process_cpu_seconds_total", .counter, "Processor time of all threads, in user and system mode.")
        text.sample("process_cpu_seconds_total", [:], seconds: figures.processorSeconds)
        if let bytes = figures.residentBytes {
            text.single("process_resident_memory_bytes", .gauge, "Resident memory.", bytes)
        }
        if let descriptors = figures.openDescriptors {
            text.single("process_open_fds", .gauge, "Open descriptors.", descriptors)
        }
        text.family("auction_build_info", .gauge, "Which program this is; always 1.")
        text.sample("auction_build_info", ["version": ServiceVersion.current, "threads": String(loops.count)], 1)
    }
}
