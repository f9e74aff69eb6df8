import ExactJSON
import Testing

/// A node that gets no notifications of the other nodes.
struct ListeningNodesTests {
    @Test func `a node that cannot listen follows the other nodes by polling`() throws {
        let nodes = try TwoNodes()
        #expect(try nodes.nodeB.call("GET", "").status == 200, "it has the room in memory")
        nodes.logs[1].isListeningUnavailable.set(true)
        // A notification that it waited for before may still have arrived.
        eventually("it tries to listen") { nodes.logs[1].isListeningUnavailable.failures > 1 }
        for text in ["Hello", "Hello again"] {
            #expect(try nodes.nodeA.call("POST", "/messages", ["text": .string(text)], by: nodes.nodeA.bidder).status == 201)
            let seq = try nodes.nodeA.seq()
            try eventually("the other node has the event") { try nodes.nodeB.room().seq == seq }
        }
    }
}
