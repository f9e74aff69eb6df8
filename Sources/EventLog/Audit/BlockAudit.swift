internal import AuctionDomain

/// Audits whom users block.
package enum BlockAudit {
    private static let page = 1000

    /// One line per finding: a user with more blocks than one may have, or one who blocks themself; and that the rest is unreadable.
    /// - Parameter count: receives the number of blocks, as far as they are readable.
    package static func findings(in archive: any LogArchive, count: inout Int) throws(EventLogError) -> [String] {
        var findings: [String] = []
        var (user, number): (UserID?, Int) = (nil, 0)
        do {
            try forEachBlock(in: archive) { block in
                if block.user != user { (user, number) = (block.user, 0) }
                number += 1
                count += 1
                if number == UserBlock.limit + 1 { findings.append("\(block.user) blocks more than \(UserBlock.limit) users") }
                if block.user == block.blocked { findings.append("\(block.user) blocks themself") }
            }
        } catch  where error.code == .corrupt {
            findings.append("blocks of users are damaged: \(error.message)")
        }
        return findings
    }

    /// Calls `visit` for every block, reading them page by page.
    package static func forEachBlock(
        in archive: any LogArchive, _ visit: (UserBlock) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        var last: UserBlock?
        while true {
            let blocks = try archive.blocks(after: last, limit: page)
            for block in blocks { try visit(block) }
            // Stops at damaged rows whose order does not increase, instead of looping forever.
            guard let end = blocks.last, end != last, blocks.count == page else { return }
            last = end
        }
    }
}
