import Testing

@testable import AuctionClientCore

/// Uploads of pictures. The body of the response is the contract's.
struct PictureTests {
    private static let stored = #"{"url":"/v1/media/9f64","type":"image/png","width":1600,"height":1200,"bytes":482113}"#
    /// The first bytes of a PNG, which are no text.
    private static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF]

    private func room(
        _ response: @escaping @Sendable (HTTPCall, Int) throws(TransportError) -> HTTPResponse
    ) -> (AuctionRoom, FakeTransport) {
        let counter = Counter()
        let transport = FakeTransport { call throws(TransportError) in try response(call, counter.next()) }
        var configuration = ClientConfiguration()
        configuration.commands = .patient
        configuration.commandStore = MemoryStore()
        return (AuctionClient(transport: transport, configuration: configuration, clock: TestClock()).room("room_1"), transport)
    }

    @Test func `a picture is sent byte by byte, again if its response was lost, and has an address for items`() async throws {
        let (room, transport) = room { _, attempt throws(TransportError) in
            if attempt == 1 { throw .interrupted("lost") }
            return SimulatedService.response(201, Self.stored)
        }
        let picture = try await room.uploadPicture(Self.bytes[...], type: "image/png")
        #expect(picture.url == "/v1/media/9f64" && picture.type == "image/png" && picture.byteCount == 482_113)
        #expect(picture.width == 1600 && picture.height == 1200)
        #expect(transport.calls.count == 2 && transport.calls.first == transport.calls.last)
        let call = try #require(transport.calls.last)
        #expect(call.method == "POST" && call.target == "/v1/rooms/room_1/media")
        #expect(call.body == Self.bytes && call.header("Content-Type") == "image/png")
        #expect(call.header("Idempotency-Key") == nil && call.timeout >= AuctionRoom.pictureTimeout)
        #expect(try await room.client.storedCommands().isEmpty)
    }

    @Test func `a preview names its picture`() async throws {
        let (room, transport) = room { _, attempt throws(TransportError) in
            SimulatedService.response(201, attempt == 1 ? Self.stored : Self.stored.replacing("9f64", with: "9f64?preview"))
        }
        let picture = try await room.uploadPicture(Self.bytes)
        let preview = try await room.uploadPreview(Self.bytes[..<4], of: picture, type: "image/png")
        #expect(preview.url == "/v1/media/9f64?preview")
        let call = try #require(transport.calls.last)
        #expect(call.target == "/v1/rooms/room_1/media?previewOf=9f64" && call.body == Array(Self.bytes[..<4]))
    }

    @Test func `a picture that is refused has the reason`() async {
        let (room, transport) = room { _, _ throws(TransportError) in
            SimulatedService.problem(415, "media.unsupported", at: 0)
        }
        let error = await #expect(throws: AuctionError.self) { try await room.uploadPicture(Self.bytes) }
        #expect(error?.problem?.code == "media.unsupported" && transport.calls.count == 1)
        #expect(transport.calls.last?.header("Content-Type") == "application/octet-stream")
    }
}
