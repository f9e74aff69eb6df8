import Foundation

/// One input of libFuzzer's; FUZZ_TARGET names what is fuzzed. A finding ends the process, as libFuzzer wants it.
@_cdecl("auction_room_fuzz")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Safe: libFuzzer's buffer lives for the call, and is copied at once.
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
