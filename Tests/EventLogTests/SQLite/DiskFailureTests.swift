#if os(Linux)
    import AuctionDomain
    import AuctionService
    import AuctionTestKit
    import EventLog
    import Foundation
    import Glibc
    import Synchronization
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
                #expect(later?.code == .io)
                #expect(later?.message.contains(first?.message ?? "?") == true)
            }
            #expect(#expect(throws: EventLogError.self) { try log.probe() }?.code == .io)
            #expect(#expect(throws: EventLogError.self) { try log.maintain() }?.code == .io)
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

        @Test func `a service that starts on a nearly full disk is not ready from the beginning`() throws {
            let scratch = try Scratch()
            var limits = SQLiteEventLog.Limits()
            limits.freeBytes = .max
            let service = RoomService(
                log: try scratch.open(limits), rulebook: try .product(), encoder: PlainResponseEncoder(), clock: TestClock(),
                port: Reported())
            try service.start()
            defer { service.stop() }
            #expect(service.failure?.code == .full)
        }

        /// Such a service is not ready, so it gets no commands whose appends would fail.
        @Test func `a disk failure while old responses are deleted is reported by the next turn of housekeeping`() throws {
            let scratch = try Scratch()
            var limits = SQLiteEventLog.Limits()
            limits.checkpointPages = 0
            limits.walBytes = 0
            let log = try scratch.open(limits)
            let (clock, reported) = (TestClock(), Reported())
            let service = RoomService(
                log: log, rulebook: try .product(), encoder: PlainResponseEncoder(), clock: clock, port: reported,
                observer: reported, readerThreads: 0)
            let stepper = try ServiceStepper(service)
            var room = SampleRoom(1)
            let old = clock.now().wall.advanced(byMilliseconds: -26 * 3_600_000)
            let positions = try log.commit(room.next(responses: [Samples.response(1, at: old)]))
            let position = try #require(positions.first)
            func runHousekeeping(turns: Int) {
                for _ in 0..<turns { stepper.runHousekeeping() }
                while stepper.step() {}
            }
            // Flushes, and empties the write-ahead log, so that nothing has to be read from its replacement.
            runHousekeeping(turns: 59)
            #expect(service.failure == nil)
            let saved = try replaceDescriptors(of: scratch.path + "-wal", by: "/dev/null", O_RDONLY)
            defer {
                saved.putBack()
                log.close()
            }

            // The sixtieth turn deletes.
            runHousekeeping(turns: 1)
            #expect(service.failure?.code == .io)
            #expect(try log.storedResponse(at: position) != nil)
            runHousekeeping(turns: 1)
            #expect(reported.failures.withLock { $0.map(\.code) } == [.io])
        }

        /// Collects the failures of the log that a service reports.
        private final class Reported: DeliveryPort, ServiceObserver {
            let loopCount = 1
            let failures = Mutex<[EventLogError]>([])

            func deliver(_ delivery: Delivery, to loop: Int) {}
            func committed(_ room: Room, _ events: [Event]) {}
            func appended(rooms: Int, events: Int, nanoseconds: UInt64) {}
            func commandCommitted(_ command: Command) {}
            func appendFailed(_ error: EventLogError) {}
            func logFailed(_ error: EventLogError) { failures.withLock { $0.append(error) } }
            func warning(_ message: String) {}
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
