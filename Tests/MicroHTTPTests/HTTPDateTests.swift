@testable import MicroHTTP
import Testing

extension MicroHTTPTests {
    @Suite struct Dates {
        @Test(
            arguments: [
                (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
                (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
                (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
                (1_735_689_600, "Wed, 01 Jan 2025 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
                (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
            ] as [(Int64, String)])
        func `a time is written as HTTP writes it`(seconds: Int64, text: String) {
            #expect(HTTPDate.text(secondsSince1970: seconds) == text)
        }
    }
}
