import Foundation
import FuzzTargets
import Testing

/// Replays the corpora: inputs that fuzzing kept for their coverage, and inputs that once broke a property.
struct CorpusTests {
    @Test(arguments: FuzzTarget.allCases)
    func `every input of the corpus satisfies the target's properties`(target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpora/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 8, "the corpus in \(folder.path) is gone")
        for file in files {
            #expect(target.finding([UInt8](try Data(contentsOf: file))) == nil, "\(file.lastPathComponent)")
        }
    }
}
