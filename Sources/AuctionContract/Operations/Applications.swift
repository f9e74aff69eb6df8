internal import AuctionDomain

extension Operation {
    /// Applications of bidders, in rooms whose host approves them.
    static let applications: [Operation] = [listApplications, approveApplication, declineApplication]

    private static let application = #"""
        {
          "applicant": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "at": "2026-11-21T08:56:46.572Z",
          "state": "declined", "reason": "Please register by telephone first.", "receipt": \#(receipt)
        }
        """#

    /// `GET /v1/rooms/{id}/applications`: list the applications of bidders, oldest first.
    package static let listApplications = Operation(
        "listApplications", .get, "/v1/rooms/{id}/applications", .required, tag: "members",
        "List the applications of bidders, oldest first",
        """
        By the host. While the rule `bid.not_approved` is on, who joins as bidder applies, and the host approves or declines. At \
        most 500 applications are open at a time, and the latest 200 that were declined are kept. An application ends when the \
        host makes its user bidder or auctioneer, removes or bans them; an open one also when they leave. `application.made` does not say who \
        applied; but the event before it may be that newcomer's `member.joined`. If the rule is switched off, open applications \
        stay until they are decided, though no bidder needs one then.
        """,
        needs: [.decideApplication],
        parameters: [
            .query("state", "The open ones, or those that were declined.", "ApplicationState = open", example: "open"),
            .query("limit", "The most rows to return.", "integer 1...100 = 50", example: 10),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of the applications.", "ApplicationList",
                #"""
                {
                  "applications": [
                    {
                      "applicant": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "at": "2026-11-21T08:56:46.572Z",
                      "state": "open", "reason": null
                    }
                  ],
                  "nextCursor": null
                }
                """#),
            .refusal(403, "The caller is not the host.", ["application.not_host"]),
        ])

    /// `POST /v1/rooms/{id}/applications/{userId}/approve`: approve a bidder.
    package static let approveApplication = Operation(
        "approveApplication", .post, "/v1/rooms/{id}/applications/{userId}/approve", .required, tag: "members",
        "Approve a bidder",
        """
        By the host, also if the application was declined before. The applicant becomes a bidder by `member.roleChanged`, of \
        which `from` is `bidder` for one who is a bidder already, and has the credit limit if one is given. A bidder who leaves, \
        or chooses another role, has to apply again.
        """,
        needs: [.decideApplication], givesReceipt: true,
        body: .init("ApproveApplication", #"{"creditLimit": "500.00"}"#, isRequired: false, "May be left out, or be `null`."),
        responses: [
            .success(
                200, "The member.", "Member",
                #"""
                {
                  "user": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "role": "bidder",
                  "joinedAt": "2026-11-21T08:56:46.550Z", "muted": false, "banned": false, "creditLimit": "500.00",
                  "receipt": \#(receipt)
                }
                """#),
            .refusal(403, "The caller is not the host.", ["application.not_host"]),
            .refusal(
                404, "There is no such room or application, or its user has left since it was declined.",
                ["room.not_found", "application.not_found", "member.not_found"], example: "application.not_found"),
        ])

    /// `POST /v1/rooms/{id}/applications/{userId}/decline`: decline a bidder.
    package static let declineApplication = Operation(
        "declineApplication", .post, "/v1/rooms/{id}/applications/{userId}/decline", .required, tag: "members",
        "Decline a bidder",
        """
        By the host. The applicant reads the reason, and cannot apply again; the host may still approve them. \
        `application.declined` does not tell others whose application it was. A repeat changes nothing.
        """,
        needs: [.decideApplication], givesReceipt: true,
        body: .init(
            "DeclineApplication", #"{"reason": "Please register by telephone first."}"#, isRequired: false,
            "May be left out, or be `null`."),
        responses: [
            .success(200, "The application.", "Application", application),
            .refusal(403, "The caller is not the host.", ["application.not_host"]),
            .refusal(
                404, "There is no such room or application.", ["room.not_found", "application.not_found"],
                example: "application.not_found"),
        ])
}
