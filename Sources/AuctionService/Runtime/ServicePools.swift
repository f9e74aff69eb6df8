/// The threads that run a service's jobs on the log, beside those of its sequencers and its committer.
struct ServicePools: Sendable {
    /// For reads that commands wait for.
    let readers: ReaderPool
    /// For long reads that no command waits for.
    let heavyReads: FairPool
    /// Writes snapshots, one at a time, off the threads that clients wait for.
    let snapshots: ReaderPool
    /// Checks and stores uploaded pictures, one after the other.
    let pictures: FairPool

    /// - Parameter threads: Number of threads for reads of each kind; 0: jobs wait for `step`.
    init(threads: Int, _ limits: ServiceLimits) {
        readers = ReaderPool(count: threads)
        heavyReads = FairPool(threads: threads, limit: limits.pendingReads)
        snapshots = ReaderPool(count: min(1, threads), name: "snapshots")
        pictures = FairPool(threads: min(1, threads), limit: limits.pendingPictures, parts: 2, name: "pictures")
    }

    /// Runs waiting jobs on the caller's thread; returns false if there were none.
    func step() -> Bool { [readers.step(), heavyReads.step(), snapshots.step(), pictures.step()].contains(true) }

    /// Returns once all jobs are done.
    func finish() {
        readers.finish()
        heavyReads.finish()
        pictures.finish()
        snapshots.finish()
    }
}
