internal import CCurl

/// What the client's thread does: begins transfers, waits for them, and hands over their responses.
struct TransferLoop: ~Copyable {
    private let queue: RequestQueue
    private let multi: MultiHandle
    private let settings: TransferSettings
    private var transfers: [UInt: Transfer] = [:]

    init(_ queue: RequestQueue, _ waker: MultiWaker, _ settings: TransferSettings) {
        (self.queue, self.settings) = (queue, settings)
        multi = MultiHandle(waker)
    }

    /// Returns after the client was stopped.
    consuming func run() {
        while let jobs = queue.take() {
            for job in jobs { begin(job) }
            multi.perform()
            while let (id, code) = multi.nextEnded() {
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                multi.remove(transfer)
                finish(transfer.job, transfer.result(code))
            }
            multi.wait()
        }
        for transfer in transfers.values {
            multi.remove(transfer)
            finish(transfer.job, .failure(.stopped))
        }
        for job in queue.takeRest() { finish(job, .failure(.stopped)) }
    }

    private mutating func begin(_ job: OutboundJob) {
        do throws(OutboundFailure) {
            let transfer = try Transfer(job, settings)
            guard multi.add(transfer) else { throw .resources("libcurl refuses the transfer") }
            transfers[transfer.id] = transfer
        } catch {
            finish(job, .failure(error))
        }
    }

    /// The place is free before the completion runs, so that it can send the next request.
    private func finish(_ job: OutboundJob, _ result: Result<OutboundResponse, OutboundFailure>) {
        queue.release(job)
        job.completion(result)
    }
}
