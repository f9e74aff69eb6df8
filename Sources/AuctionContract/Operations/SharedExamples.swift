/// Examples that others are like: in the JSON of an example, `{"like": "room", "round": 2}` is the room here with another round, and
/// `"without"` has the names of members that it does not have.
enum SharedExample {
    /// Their JSON, by name.
    static let named: [String: String] = [
        "room":
            #"""
        {
          "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
          "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY", "visibility": "public",
          "round": 1, "seq": 19, "item": {"like": "item"}, "rules": {"like": "rules"}, "currentPrice": "130.00",
          "currentBid": {
            "id": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
            "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "at": "2026-11-21T08:56:46.564Z"
          },
          "nextMinimum": "140.00", "reserveMet": null, "endsAt": "2026-11-21T08:57:01.572Z", "nextDropAt": null,
          "warning": 0, "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "auctioning",
          "stateDescription": "Auction running: bids are taken until the countdown ends.", "remainingMs": 15000,
          "viewers": 0, "allowedActions": ["retractBid", "endAuction", "pause", "setRole"],
          "me": {
            "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null, "muted": false,
            "banned": false, "offers": [], "application": null
          },
          "inviteCode": "cwjcncaqzx54", "reports": 0, "applications": 0, "serverTime": "2026-11-21T08:56:46.572Z"
        }
        """#,
        "lot":
            #"""
        {
          "id": "lot_01m7yn51psh16pxpxz9yp3xz7p", "number": 1, "position": 1, "reference": "A-12", "state": "queued",
          "round": null, "item": {"like": "item", "id": "item_01m7yn51psh16pxpxz9yp3xz7q"}, "rules": {"like": "rules"},
          "result": null, "offeredBefore": null, "offeredAgain": null, "absenteeBids": 0, "myBid": null
        }
        """#,
        "stage":
            #"""
        {
          "seats": [
            {
              "seat": 1,
              "occupant": {
                "user": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder",
                "since": "2026-11-21T08:56:46.572Z"
              },
              "closed": false, "muted": false
            },
            {"seat": 2, "occupant": null, "closed": true, "muted": false}
          ],
          "queue": [], "handshake": null
        }
        """#,
        "handshake":
            #"""
        {
          "id": "stage_01m7yn51q0zthtweg1a3x7wgpt", "role": "bidder", "state": "requested",
          "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "origin": "request",
          "expiresAt": "2026-11-21T08:57:16.572Z"
        }
        """#,
        "sale":
            #"""
        {
          "mode": "automatic", "pauseSeconds": 10, "startsAt": "2026-11-21T20:00:00.000Z", "premium": {"percent": "12.5"},
          "attended": false, "running": false, "postponed": false, "nextLotAt": null, "lots": 200, "queued": 200
        }
        """#,
        "rules":
            #"""
        {
          "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
          "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
          "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
          "tie": "earliest"
        }
        """#,
        "item":
            #"""
        {
          "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
          "media": ["https://example.org/teapot.jpg"],
          "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
        }
        """#,
    ]
}
