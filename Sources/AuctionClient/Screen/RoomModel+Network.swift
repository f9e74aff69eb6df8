#if canImport(Network)
    internal import Dispatch
    internal import Network

    // Compiled on Apple's systems only; `networkChanged(isOnline:)`, which has the rest, is tested on Linux.
    extension RoomModel {
        /// Watches the device's network until the task is cancelled.
        public func watchNetwork() async {
            let monitor = NWPathMonitor()
            let (paths, continuation) = AsyncStream.makeStream(of: Bool.self)
            monitor.pathUpdateHandler = { continuation.yield($0.status == .satisfied) }
            monitor.start(queue: DispatchQueue(label: "auction-room.network"))
            defer { monitor.cancel() }
            for await isOnline in paths { networkChanged(isOnline: isOnline) }
        }
    }
#endif
