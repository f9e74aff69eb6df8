/// The connections of one loop by descriptor: looked up at every read.
struct ReaderTable {
    // Descriptors are small numbers, and the lowest free one is given out first.
    private var connections: [Connection?] = []

    /// Nil where the descriptor is no connection's.
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
