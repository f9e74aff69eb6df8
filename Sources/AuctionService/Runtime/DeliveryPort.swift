/// How the service delivers to the event loops: one call per loop and batch.
package protocol DeliveryPort: Sendable {
    /// Number of loops; addresses number them from 0.
    var loopCount: Int { get }
    /// Delivers to one loop. Called on the service's threads; must not block.
    func deliver(_ delivery: Delivery, to loop: Int)
}

extension DeliveryPort {
    func deliver(_ deliveries: Deliveries) {
        for (loop, delivery) in deliveries.nonEmpty { deliver(delivery, to: loop) }
    }
}
