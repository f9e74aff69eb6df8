#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Commands in a folder, one small file each.
public actor FileCommandStore: CommandStore {
    /// The most commands that are kept; with more, saving fails.
    public static let maximumCount = 1000

    private let folder: URL

    /// - Parameter folder: made if it is missing; nothing else should be in it.
    public init(folder: URL) { self.folder = folder }

    /// Writes the command to a file of its own, replacing it atomically.
    /// - Throws: `CocoaError` of the file system, or `fileWriteOutOfSpace` if there are `maximumCount` commands.
    public func save(_ command: PendingCommand) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard try files().count < Self.maximumCount else { throw CocoaError(.fileWriteOutOfSpace) }
        try JSONEncoder().encode(command).write(to: file(command), options: .atomic)
    }

    /// Deletes the command's file.
    /// - Throws: `CocoaError` of the file system.
    public func remove(_ command: PendingCommand) throws {
        let file = file(command)
        if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
    }

    /// The commands whose files can be read.
    /// - Throws: `CocoaError` of the file system.
    public func all() throws -> [PendingCommand] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let commands = try files().compactMap { file in
            // A file of a newer version of the app must not hide the others.
            try? JSONDecoder().decode(PendingCommand.self, from: Data(contentsOf: file))
        }
        return commands.sorted { ($0.createdAt, $0.key) < ($1.createdAt, $1.key) }
    }

    private func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }
            .map { folder.appendingPathComponent($0) }
    }

    private func file(_ command: PendingCommand) -> URL {
        folder.appendingPathComponent(command.key).appendingPathExtension("json")
    }
}
