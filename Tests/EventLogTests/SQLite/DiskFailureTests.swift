#if os(Linux)
    import AuctionDomain
    import EventLog
    import Foundation
    import Glibc
    import Testing

    @testable import EventLogSQLite

    /// Real I/O errors, caused by replacing the file descriptors of the write-ahead log.
    @Suite struct SQLiteDiskFailures {
        @Test func `after a disk failure all writes are rejected`() throws {
            let scratch = try Scratch()
            let log = try scratch.open()
            var room = try log.create(SampleRoom(1))
            let committed = room
            let saved = try replaceDescriptors(of: scratch.path + "-wal", by: "/dev/null", O_RDONLY)
            defer {
                saved.putBack()
                log.close()
            }

            let first = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
            #expect(first?.code == .io)
            #expect(first?.message.contains(scratch.path) == true)
            for _ in 0..<2 {
                var again = committed
                let later = #expect(throws: EventLogError.self) { try log.commit(again.next()) }
                #expect(later?.code == .unavailable)
                #expect(later?.message.contains(first?.message ?? "?") == true)
            }
            #expect(#expect(throws: EventLogError.self) { try log.probe() }?.code == .unavailable)
            #expect(#expect(throws: EventLogError.self) { try log.maintain() }?.code == .unavailable)
        }

        @Test func `a batch fails on a full disk and succeeds once there is space`() throws {
            let scratch = try Scratch()
            var limits = SQLiteEventLog.Limits()
            limits.checkpointPages = 0
            limits.walBytes = 0
            let log = try scratch.open(limits)
            var room = try log.create(SampleRoom(1))
            let committed = room
            // Empties the write-ahead log, so that nothing has to be read from its replacement, /dev/full.
            try log.maintain()
            let saved = try replaceDescriptors(of: scratch.path + "-wal", by: "/dev/full", O_RDWR)
            let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
            #expect(error?.code == .full)
            saved.putBack()
            room = committed
            try log.commit(room.next())
            #expect(try log.seqs(room.id) == [1, 2])
            log.close()
            let again = try scratch.open()
            #expect(try again.seqs(room.id) == [1, 2])
            again.close()
        }

        @Test func `a nearly full disk fails the probe before an append fails`() throws {
            let scratch = try Scratch()
            var limits = SQLiteEventLog.Limits()
            limits.freeBytes = .max
            let log = try scratch.open(limits)
            defer { log.close() }
            #expect(#expect(throws: EventLogError.self) { try log.probe() }?.code == .full)
            try log.create(SampleRoom(1))
        }

        struct Saved {
            let descriptors: [(original: CInt, copy: CInt)]
            func putBack() {
                for (original, copy) in descriptors {
                    dup2(copy, original)
                    close(copy)
                }
            }
        }

        private func replaceDescriptors(of path: String, by other: String, _ flags: CInt) throws -> Saved {
            let wanted = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
                .filter { isOpen($0, wanted) }
            try #require(!open.isEmpty)
            let saved = Saved(descriptors: open.map { ($0, dup($0)) })
            for descriptor in open {
                // SAFETY: the string lives for the call.
                let replacement = unsafe Glibc.open(other, flags)
                try #require(replacement >= 0 && dup2(replacement, descriptor) == descriptor)
                close(replacement)
            }
            return saved
        }

        private func isOpen(_ descriptor: CInt, _ path: String) -> Bool {
            path == (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))
        }
    }
#endif
