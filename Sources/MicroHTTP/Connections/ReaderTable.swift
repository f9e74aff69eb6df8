/// The connections of one loop by descriptor; looked up at every read.
struct ReaderTable {
    // Descriptors are small numbers: the kernel assigns the lowest free one.
    private var connections: [Connection?] = []

    /// Nil if the descriptor belongs to no connection.
    subscript(descriptor: Int32) -> Connection? {
        get {
            let index = Int(descriptor)
            return connections.indices.contains(index) ? connections[index] : nil
        }
        set {
            let index = Int(descriptor)
            guard index >= 0 else { return }
            while connections.count <= index { connections.append(nil) }
            connections[index] = newValue
        }
    }
}
