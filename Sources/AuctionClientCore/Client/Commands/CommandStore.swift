/// Keeps commands whose outcome is not known yet, so that they can be sent again after a restart of the app.
public protocol CommandStore: Sendable {
    /// Stores a command before it is sent for the first time; it must be durable when this returns.
    /// - Throws: any error; the command is not sent then.
    func save(_ command: PendingCommand) async throws
    /// Removes a command that is not to be sent again: its outcome is known, or it is too old; its absence is no error.
    func remove(_ command: PendingCommand) async throws
    /// The stored commands, oldest first.
    func all() async throws -> [PendingCommand]
}
