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
        try await send(bytes, type, to: "\(path)/media")
    }

    /// Uploads the preview of a picture: a smaller version for lists, of about 320 pixels a side, which is read at the picture's address with
    /// `?preview`. A later one takes its place; without one, the picture itself is read there.
    /// - Parameters:
    ///   - bytes: a picture as for `uploadPicture`, of at most 64 kB and 1,024 pixels a side.
    ///   - picture: one that the same user has uploaded to this room.
    ///   - type: its media type, if known; the service looks at the bytes.
    /// - Returns: the preview as it is stored; its `url` is that of the picture with `?preview`, and not for `NewItem.media`.
    /// - Throws: `AuctionError`; refused with `media.not_yours` if others uploaded the same picture, and lists show the picture itself.
    @discardableResult
    public func uploadPreview(
        _ bytes: some Collection<UInt8> & Sendable, of picture: UploadedPicture, type: String = "application/octet-stream"
    ) async throws(AuctionError) -> UploadedPicture {
        let digest = picture.url.split(separator: "/").last ?? ""
        return try await send(bytes, type, to: "\(path)/media?previewOf=\(String(digest).pathSegment)")
    }

    private func send(
        _ bytes: some Collection<UInt8> & Sendable, _ type: String, to target: String
    ) async throws(AuctionError) -> UploadedPicture {
        var request = ExchangeRequest("POST", target, language: client.configuration.language)
        request.bytes = Array(bytes)
        request.contentType = type
        var settings = client.configuration.commands
        settings.attemptTimeout = max(settings.attemptTimeout, Self.pictureTimeout)
        settings.timeout = max(settings.timeout, Self.pictureTimeout * 2)
        return try await client.runner.value(request, settings, UploadedPicture.init)
    }
}
