@testable import AuctionServer
import MicroHTTP
import Testing

struct ReadinessTests {
    @Test(arguments: [true, false], [true, false])
    func `whatever is not ready is named`(_ isLogWritable: Bool, _ isRecovered: Bool) {
        for isDraining in [false, true] {
            let readiness = Readiness(isLogWritable: isLogWritable, isRecovered: isRecovered, isDraining: isDraining)
            let expected = [isLogWritable ? nil : "log", isRecovered ? nil : "recovering", isDraining ? "draining" : nil]
            #expect(readiness.waitingFor.map(\.rawValue) == expected.compactMap { $0 })
            #expect(readiness.response.status == (readiness.waitingFor.isEmpty ? 200 : 503))
        }
    }

    @Test func `a server that is not ready says what it waits for`() {
        let response = Readiness(isLogWritable: false, isRecovered: true, isDraining: true).response
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"status":"not ready","waitingFor":["log","draining"]}"#)
        #expect(response.headers.contains { $0.name == "Retry-After" })
    }
}
