extension Operation {
    /// Pictures.
    static let media: [Operation] = [uploadPicture, readPicture]

    /// A picture in each of its formats.
    private static let picture: [Content] = ["image/jpeg", "image/png", "image/webp", "image/avif"].map {
        Content($0, #"{"type": "string", "format": "binary"}"#, text: "(the bytes of the file)")
    }

    private static let pictureHeaders: [Header] = [
        .init("Cache-Control", is: "PictureCacheControl"), .init("ETag", is: "PictureETag"),
        .constant("Accept-Ranges", "bytes"), .constant("X-Content-Type-Options", "nosniff"),
        .constant("Content-Security-Policy", "default-src 'none'; sandbox"),
        .constant("Cross-Origin-Resource-Policy", "cross-origin"), .constant("Content-Disposition", "inline"),
    ]

    /// `POST /v1/rooms/{id}/media`: upload a picture.
    package static let uploadPicture = Operation(
        "uploadPicture", .post, "/v1/rooms/{id}/media", .required, tag: "auction", "Upload a picture",
        """
        By the host or an auctioneer, in every state of the room. The `url` of the response is for `media` of items and lots. Which format
        it is, the first bytes decide; animations are refused. Metadata is removed: where, when, by whom and with what it was taken, thumbnails and
        comments; colours stay, and how it is rotated. The colour profile of a PNG is kept as it is.

        An `Idempotency-Key` has no effect. A response is stored under its key in the transaction of the room's events; an upload has no event,
        and pictures are stored apart from the events. The address is the digest of what is stored, so a repeat stores nothing new, counts once
        against the quotas of room and user (each time against the limit of the client's address), and has the same response. Another picture under
        the same key is not refused, and has its own address.

        Up to eight uploads of a caller, and sixteen in all, wait to be stored at a time; beyond that 503 (`media.too_many_uploads`).

        Whoever has the address can read the picture, also of a private room. A picture that no item or lot names is deleted a day after it was last uploaded; one that an
        item or lot has named stays.

        With `previewOf` the body is the preview of a picture that the caller has uploaded to the same room: a smaller version for lists, read by
        `GET /v1/media/{sha256}?preview`. The server makes none by itself. A later preview takes the place of the first. Whoever has a picture
        can upload that picture too; so that no user decides what lists of others show, a preview is dropped when another user uploads the picture, and refused
        from then on (`media.not_yours`): lists show the picture itself then, and caches may show the dropped one for a day. Its bytes count against the same quotas, and it is removed with its picture.
        """,
        takesKey: false,
        parameters: [
            .query(
                "previewOf", "The digest of the picture whose preview the body is, from the address that its upload returned.",
                #"{"type": "string", "pattern": "^[0-9a-f]{64}$"}"#,
                example: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a")
        ],
        body: .init(
            content: picture + [
                .init("application/octet-stream", #"{"type": "string", "format": "binary"}"#, text: "(the bytes of the file)")
            ],
            """
            The file, at most 4 MiB (`--limit-picture-bytes`) and 40 million pixels; a preview at most 65,536 bytes, and 1,024 pixels a side.
            Its `Content-Type` does not matter, and may be missing.
            """),
        responses: [
            .success(
                201,
                """
                The picture is stored, now or before; with `previewOf` its preview, at the picture's address with \
                `?preview`.
                """, "UploadedPicture",
                #"""
                {
                  "url": "/v1/media/9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a", "type": "image/jpeg",
                  "width": 1600, "height": 1200, "bytes": 482113
                }
                """#, headers: [.init("Location", is: "PictureLocation")]),
            .refusal(
                400,
                """
                The picture is truncated or malformed, or the query is; or the operator has removed the picture, and it is \
                not taken again.
                """, ["media.malformed", "media.removed", "request.malformed", "request.unknown_field"]),
            .refusal(
                403, "The caller is neither the host nor an auctioneer, or may give the picture no preview.",
                ["lot.not_auctioneer", "lot.banned", "media.not_yours"]),
            .refusal(
                404,
                """
                There is no such room, or the caller may not see it; or the server stores no pictures (`--media external`), \
                or not that of `previewOf`.
                """, ["room.not_found", "media.external_only", "media.not_found"], example: "media.external_only"),
            .refusal(
                413, "The file has too many bytes, or the picture or preview too many pixels.",
                ["request.too_large", "media.too_large"], example: "media.too_large"),
            .refusal(415, "The body is in none of the formats, or is animated.", ["media.unsupported"]),
            .refusal(
                429,
                """
                The room, the caller, its network address (within a day) or the server has as many bytes of pictures as it \
                may have, or the caller sends too many commands.
                """, ["media.quota", "command.rate"]),
        ])

    /// `GET /v1/media/{sha256}`: read a picture.
    package static let readPicture = Operation(
        "readPicture", .get, "/v1/media/{sha256}", .anonymous, tag: "rooms", "Read a picture",
        """
        Needs no token, because the address cannot be guessed; it stays valid as long as the picture is stored, and its content never changes.
        With `?preview` the response is a smaller version for lists, or the picture itself where there is none: its uploader gave none, or another user has uploaded the picture too.
        One that the operator removed is not found within a minute, as if it had never been there; clients and proxies may keep the copies that they have.
        """,
        parameters: [
            .path(
                "sha256", "The digest of the picture, from the address that the upload returned.",
                #"{"type": "string", "pattern": "^[0-9a-f]{64}$"}"#,
                example: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a"),
            .query(
                "preview", "Whether the preview is wanted; `?preview` alone means true.",
                "boolean = false", example: true, mayBeEmpty: true),
            .header("Range", "One range of bytes; anything else is ignored.", "text", example: "bytes=0-65535"),
            .header(
                "If-Range", "The `ETag` of the response whose rest is wanted; with any other, `Range` is ignored.",
                "text", example: #""9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a""#),
            .header(
                "If-None-Match", "The `ETag` of an earlier response, also as a weak one, or `*`.", "text",
                example: #""9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a""#),
        ],
        responses: [
            .success(
                200, "The picture.",
                content: picture, headers: pictureHeaders),
            .success(
                206, "The part of it that `Range` names.",
                content: picture,
                headers: pictureHeaders + [
                    .init(
                        "Content-Range",
                        is: #"""
                            {
                              "required": true, "schema": {"type": "string", "pattern": "^bytes \\d+-\\d+/\\d+$"},
                              "example": "bytes 0-65535/482113"
                            }
                            """#)
                ]),
            .success(
                304, "Not changed.",
                headers: [.init("Cache-Control", is: "PictureCacheControl"), .init("ETag", is: "PictureETag")]),
            .refusal(404, "There is no such picture.", ["media.not_found"]),
            .refusal(
                416, "The range begins after the end.", ["media.range"],
                headers: [
                    .init(
                        "Content-Range",
                        is:
                            #"{"required": true, "schema": {"type": "string", "pattern": "^bytes [*]/\\d+$"}, "example": "bytes */482113"}"#
                    )
                ]),
        ])
}
