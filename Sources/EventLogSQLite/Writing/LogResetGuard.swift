import Synchronization

/// Keeps checkpoints beside the committer away from a defect of SQLite 3.7.0 to 3.51.2, which Debian 12 has
/// (https://sqlite.org/wal.html#walresetbug): a commit that finds the whole write-ahead log checkpointed begins the log anew, and a
/// checkpoint of another connection that begins at that moment may record pages of the new log as checkpointed that are not. A later
/// checkpoint skips them: committed pages are lost.
///
/// A transaction that was written after a checkpoint either has begun the log anew already, or has left pages in it that the
/// checkpoint did not see. So a checkpoint that begins after such a transaction meets no commit that begins the log anew.
struct LogResetGuard: ~Copyable, Sendable {
    private let commits = Atomic<Int>(0)
    private let commitsAtCheckpoint = Atomic<Int>(0)

    /// Whether a checkpoint may begin while transactions are committed.
    var allowsConcurrentCheckpoint: Bool {
        commits.load(ordering: .acquiring) != commitsAtCheckpoint.load(ordering: .acquiring)
    }

    /// A transaction that wrote at least one page has been committed. Call it while the writer's connection is this thread's, together with the commit.
    func committed() { commits.add(1, ordering: .releasing) }

    /// A checkpoint has ended, with whatever result. Call it while the writer's connection is this thread's: a transaction that the checkpoint has seen,
    /// but that is counted only after this, would allow the next one although nothing was written since.
    func checkpointEnded() {
        commitsAtCheckpoint.store(commits.load(ordering: .acquiring), ordering: .releasing)
    }
}
