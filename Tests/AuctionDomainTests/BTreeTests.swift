import Foundation
import Testing

@testable import AuctionDomain

struct BTreeTests {
    /// Three stages: mostly additions, then as many removals, then mostly removals. Twenty copies are kept meanwhile.
    @Test(arguments: [40, 400, 6000])
    func `a tree behaves like a dictionary while it grows and shrinks`(keys: Int) {
        var (tree, expected) = (BTree<Int, String>(), [Int: String]())
        var copies: [(tree: BTree<Int, String>, expected: [Int: String])] = []
        var random = SplitMix64(seed: UInt64(keys))
        let steps = keys * 9
        for step in 0..<steps {
            let key = Int(random.next() % UInt64(keys))
            let removals: UInt64 = step < steps / 3 ? 1 : step < steps * 2 / 3 ? 3 : 5
            let value = random.next() % 6 < removals ? nil : "\(step)"
            tree[key] = value
            expected[key] = value
            #expect(tree[key] == value && tree.count == expected.count)
            if step % (steps / 20) == 0 { copies.append((tree, expected)) }
        }
        for key in expected.keys { tree[key] = nil }
        copies.append((tree, [:]))
        for (tree, expected) in copies {
            #expect(tree.entries.map(\.key) == expected.keys.sorted())
            #expect(tree.entries.allSatisfy { expected[$0.key] == $0.value })
            #expect((0..<keys).allSatisfy { tree[$0] == expected[$0] })
        }
    }

    @Test(arguments: [0, 1, 16, 17, 256, 257, 5000])
    func `trees with the same entries are equal, in whatever order they came`(count: Int) {
        var (ascending, descending) = (BTree<Int, Int>(), BTree<Int, Int>())
        for key in 0..<count { ascending[key] = key }
        for key in (0..<6000).reversed() { descending[key] = key }
        for key in count..<6000 { descending[key] = nil }
        #expect(ascending == descending)
        #expect(ascending.hashValue == descending.hashValue)
        #expect(ascending.contains { $0 == count - 1 } == (count > 0) && !ascending.contains { $0 == count })
        ascending[-1] = 1
        #expect(ascending != descending)
    }

    @Test func `a tree is encoded as a dictionary`() throws {
        let expected = Dictionary(uniqueKeysWithValues: (1...40).map { ($0, "paddle \($0)") })
        let tree = try JSONDecoder().decode(BTree<Int, String>.self, from: JSONEncoder().encode(expected))
        #expect(tree.entries.map(\.value) == (1...40).map { "paddle \($0)" })
        #expect(try JSONDecoder().decode([Int: String].self, from: JSONEncoder().encode(tree)) == expected)
    }
}
