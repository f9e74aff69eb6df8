/// What has been received of a response, within its bounds.
struct ReceivedBytes {
    /// Why no more is read.
    enum End { case bodyIsCut, headTooLong }

    private let headLimit: Int
    private let bodyLimit: Int
    private var headBytes = 0
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private(set) var end: End?

    init(headLimit: Int, bodyLimit: Int) { (self.headLimit, self.bodyLimit) = (headLimit, bodyLimit) }

    /// Takes a line of the head with its line break. The status line of each response, also of interim ones, begins anew.
    /// - Returns: whether to go on.
    mutating func takeLine(_ line: [UInt8]) -> Bool {
        headBytes += line.count
        guard headBytes <= headLimit else {
            end = .headTooLong
            return false
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            if line.starts(with: "HTTP/".utf8) { headers = [:] }
            return true
        }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        if OutboundResponse.keptHeaders.contains(name) {
            headers[name] = String(decoding: line[(colon + 1)...].trimmed(), as: UTF8.self)
        }
        return true
    }

    /// Takes a part of the body.
    /// - Returns: whether to go on.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = bodyLimit - body.count
        unsafe body.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return true }
        end = .bodyIsCut
        return false
    }
}

extension ArraySlice<UInt8> {
    /// Without white space at both ends.
    fileprivate func trimmed() -> Self {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return [] }
        return self[...last].drop(while: isSpace)
    }
}
