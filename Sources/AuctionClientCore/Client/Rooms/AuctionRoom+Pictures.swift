extension AuctionRoom {
    /// The longest time of one attempt to upload a picture, if the client's settings do not allow more.
    static let pictureTimeout: Duration = .seconds(120)

    /// Uploads a picture, in every state of the room. By the host or an auctioneer.
    ///
    /// One that no item and no lot names is deleted a day later. A repeat gives the same address, so the upload is no command that would
    /// have to be stored.
    /// - Parameters:
    ///   - bytes: a JPEG, PNG, WebP or AVIF without animation; by default the service takes 4 MiB and 40 million pixels.
    ///   - type: its media type, if known; the service looks at the bytes.
    /// - Returns: the picture as it is stored, without its metadata; its `url` is for `NewItem.media` and `LotChanges.media`.
    /// - Throws: `AuctionError`; refused with `media.quota` where the room or the user has too many.
    public func uploadPicture(
        _ bytes: some Collection<UInt8> & Sendable, type: String = "application/octet-stream"
    ) async throws(AuctionError) -> UploadedPicture {
        var request = ExchangeRequest("POST", "\(path)/media", language: client.configuration.language)
        request.bytes = Array(bytes)
        request.contentType = type
        var settings = client.configuration.commands
        settings.attemptTimeout = max(settings.attemptTimeout, Self.pictureTimeout)
        settings.timeout = max(settings.timeout, Self.pictureTimeout * 2)
        return try await client.runner.value(request, settings, UploadedPicture.init)
    }
}
