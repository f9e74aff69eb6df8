package import AuctionDomain

// The hash of an event as a store keeps it: of an event whose bytes were rewritten, the hash of the original bytes and a digest of the new ones.
extension EventHash {
    fileprivate static let bytesCount = 32

    /// The hash of the original bytes, from what a store keeps; nil if it is neither form.
    package init?(stored: [UInt8]) {
        switch stored.count {
        // Without a copy: so is that of almost every event.
        case Self.bytesCount: self.init(bytes: stored)
        case 2 * Self.bytesCount: self.init(bytes: Array(stored.prefix(Self.bytesCount)))
        default: return nil
        }
    }
}

extension StoredEvent {
    /// - Parameter storedHash: as a store keeps it.
    /// - Returns: nil for bytes that are no hash.
    package init?(
        seq: Int, at: Timestamp, type: String, publicBytes: [UInt8], privateBytes: [UInt8]?, storedHash: [UInt8]
    ) {
        guard let hash = EventHash(stored: storedHash) else { return nil }
        let digest = storedHash.dropFirst(EventHash.bytesCount)
        // Bytes that the digest does not fit are damaged: the event then counts as one that was not rewritten, which they do not fit either.
        let isErased =
            !digest.isEmpty
            && digest.elementsEqual(EventCodec.digest(publicBytes: publicBytes, privateBytes: privateBytes).bytes)
        self.init(
            seq: seq, at: at, type: type, publicBytes: publicBytes, privateBytes: privateBytes, hash: hash, isErased: isErased)
    }

    /// What a store keeps of an event whose bytes were rewritten.
    package var erasedHashBytes: [UInt8] {
        hash.bytes + EventCodec.digest(publicBytes: publicBytes, privateBytes: privateBytes).bytes
    }

    /// The same event with other bytes, of which the chain keeps the original hash.
    package func rewritten(publicBytes: [UInt8], privateBytes: [UInt8]?) -> StoredEvent {
        StoredEvent(
            seq: seq, at: at, type: type, publicBytes: publicBytes, privateBytes: privateBytes, hash: hash, isErased: true)
    }

    /// What an event of the erasure says of this one.
    package var rewrittenEvent: RewrittenEvent {
        RewrittenEvent(
            seq: seq,
            digest: EventCodec.digest(publicBytes: publicBytes, privateBytes: privateBytes).bytes.hexadecimal)
    }
}
