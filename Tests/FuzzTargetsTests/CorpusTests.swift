import Foundation
import FuzzTargets
import Testing

/// What fuzzing found worth keeping, and what it once found wrong, stays right.
struct CorpusTests {
    @Test(arguments: FuzzTarget.allCases)
    func `every input of the corpus holds`(target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpora/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 8, "the corpus in \(folder.path) is gone")
        for file in files {
            #expect(target.finding([UInt8](try Data(contentsOf: file))) == nil, "\(file.lastPathComponent)")
        }
    }
}
