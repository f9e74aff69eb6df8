import EventLog
import ExactJSON
import Testing

/// The headers of stored responses.
struct StoredHeadersTests {
    private static let lists: [[ResponseHeader]] = [
        [], [ResponseHeader(name: "Content-Type", value: "application/problem+json")],
        [ResponseHeader(name: "Location", value: "/v1/rooms/room_1"), ResponseHeader(name: "X", value: "a \"b\" \\ é\n")],
    ]

    @Test(arguments: lists)
    func `headers are read as they were written`(_ headers: [ResponseHeader]) throws {
        #expect(try StoredHeaders.decode(StoredHeaders.encode(headers)) == headers)
    }

    @Test(arguments: ["[", "{}", "[{\"name\":\"X\"}]", "[1]"])
    func `damaged headers are an error`(_ text: String) {
        #expect(throws: JSONError.self) { try StoredHeaders.decode(Array(text.utf8)) }
    }
}
