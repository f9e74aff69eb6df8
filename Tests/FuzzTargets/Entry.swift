import Foundation

/// Runs one input of libFuzzer on the target named by the environment variable FUZZ_TARGET. A finding ends the process, as
/// libFuzzer expects.
@_cdecl("auction_room_fuzz")
package func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer's buffer is valid during the call, and is copied at once.
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let finding = target.finding(input) { fatalError("\(target.rawValue): \(finding)") }
    return 0
}

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("FUZZ_TARGET=\(name) is none of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()
