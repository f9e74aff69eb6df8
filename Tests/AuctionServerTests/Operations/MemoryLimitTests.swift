@testable import AuctionServer
import AuctionService
import EventLog
import Foundation
import MicroHTTP
import Testing

struct MemorySharesTests {
    private static let pictureBytes = ServerOptions().largestBody
    private static let least = MemoryShares.least(largestBody: pictureBytes)

    /// What the shares take, large bodies with their arrays.
    private func sum(_ shares: MemoryShares) -> Int {
        shares.loaded + shares.responses + shares.recent + 2 * shares.largeBodies
    }

    @Test func `of 1 GiB the bounds are the defaults of their types`() {
        var options = ServerOptions()
        options.deriveBounds(memory: 1 << 30)
        let usual = ServerOptions()
        #expect(options.service == usual.service)
        #expect(options.limits.responseBytes == usual.limits.responseBytes)
        #expect(options.http.limits.largeBodiesBytes == usual.http.limits.largeBodiesBytes)
        #expect(options.http.limits.silentConnections == usual.http.limits.silentConnections)
        #expect(options.http.limits.responseSeconds == usual.http.limits.responseSeconds)
        #expect(options.http.limits.largeBodySeconds == usual.http.limits.largeBodySeconds)
        #expect(options.streams.outgoingBytes == usual.streams.outgoingBytes)
        #expect(options.streams.messageBytes == usual.streams.messageBytes)
        #expect(options.media.bytesPerAddress == usual.media.bytesPerAddress)
    }

    @Test func `bounds that follow from other options follow them`() {
        var options = ServerOptions()
        options.http.limits.bodyBytes = 4096
        options.http.limits.connections = 400
        options.http.limits.requestSeconds = 2
        options.media.limits.userBytes = 0
        options.deriveBounds(memory: 1 << 30)
        #expect(options.streams.messageBytes == 4096)
        #expect(options.http.limits.silentConnections == 100)
        #expect((options.http.limits.responseSeconds, options.http.limits.largeBodySeconds) == (6, 12))
        #expect(options.media.bytesPerAddress == 0, "0 is no limit for an address either")
    }

    @Test func `the shares fill the memory, and none shrinks when it grows`() {
        var memory = Self.least
        var last = MemoryShares(of: memory, largestBody: Self.pictureBytes)
        while memory < 1 << 40 {
            memory += memory / 7
            let shares = MemoryShares(of: memory, largestBody: Self.pictureBytes)
            #expect((memory - 7...memory).contains(sum(shares)), "\(memory): \(shares)")
            #expect(shares.loaded >= last.loaded && shares.responses >= last.responses && shares.recent >= last.recent)
            #expect(shares.largeBodies >= last.largeBodies && shares.outgoing >= last.outgoing)
            #expect((1...1 << 30).contains(shares.largeBodies), "the HTTP server takes no more")
            last = shares
        }
    }

    @Test
    func `the least memory serves one large body of each of four callers, and a stalled reader does not take all responses`() {
        for largest in [1 << 20, Self.pictureBytes, 16 << 20] {
            let shares = MemoryShares(of: MemoryShares.least(largestBody: largest), largestBody: largest)
            #expect(shares.largeBodies >= 4 * largest)
            #expect(shares.loaded >= 4 << 20 && shares.recent >= 1 << 20)
            #expect(shares.responses >= 32 * shares.outgoing)
        }
    }
}

struct MachineMemoryTests {
    private static let physical = 24_683_500 * 1024

    private func bytes(_ files: [String: String]) -> Int? {
        MachineMemory.bytes(physical: Self.physical) { files[$0] }
    }

    @Test func `the machine's memory is known without a file of /proc`() throws {
        let line = try #require(String(contentsOfFile: "/proc/meminfo", encoding: .utf8).split(separator: "\n").first)
        #expect(line.hasPrefix("MemTotal:"))
        #expect(MachineMemory.physical == Int(line.filter(\.isWholeNumber)).map { $0 * 1024 })
    }

    @Test func `without a control group the machine's memory counts`() {
        #expect(bytes([:]) == Self.physical)
        #expect(
            bytes(["/proc/self/cgroup": "0::/user.slice\n", "/sys/fs/cgroup/user.slice/memory.max": "max\n"]) == Self.physical)
        #expect(MachineMemory.bytes(physical: nil) { _ in nil } == nil)
    }

    @Test func `the least limit of the group and those above it counts`() {
        let files = [
            "/proc/self/cgroup": "0::/system.slice/auction-room.service\n",
            "/sys/fs/cgroup/system.slice/memory.max": "536870912\n",
            "/sys/fs/cgroup/system.slice/auction-room.service/memory.max": "2147483648\n",
        ]
        #expect(bytes(files) == 536_870_912)
        #expect(
            bytes(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "268435456\n"]) == 268_435_456, "in a container")
    }

    @Test func `the first version of control groups counts too`() {
        let groups = "9:name=systemd:/a\n4:cpu,memory:/docker/abc:d\n0::/\n"
        let files = ["/proc/self/cgroup": groups, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"]
        #expect(bytes(files) == Self.physical, "no limit")
        let limited = files.merging(["/sys/fs/cgroup/memory/docker/abc:d/memory.limit_in_bytes": "134217728\n"]) { $1 }
        #expect(bytes(limited) == 134_217_728)
    }

    @Test(arguments: ["", "0::\n", ":::\n", "0::/x\n::\n", "no group", "0::/" + String(repeating: "a/", count: 5000)])
    func `a file that cannot be read as expected is no limit`(groups: String) {
        #expect(bytes(["/proc/self/cgroup": groups, "/sys/fs/cgroup/x/memory.max": "-5 MB"]) == Self.physical)
    }
}
