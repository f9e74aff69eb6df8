// Written by hand from the specification: sections 3 and 8 of the product, and "Who is calling" and the table of calls of the HTTP
// surface; never from the responses of the code.
//
// A heading names operations of the contract, the room's situation, and the letters of its legend; headings that follow each other
// share the lines below. Each of these names kinds of callers (`users`: all with a valid token), then the response in a public room,
// in a private room, and in a public room for an object id of another room. A number is a status of success; a letter is a refusal,
// the same over HTTP and WebSocket, which leaves the room unchanged. Letters of every legend: T no token, X an expired token, - the
// room is hidden from the caller (404). A dot: no such case. Without a line of their own, callers without a token get T, and with an
// expired one X.
//
// Operations that no heading names need one action of the permission table and follow from it: `AccessTable+Permissions.swift`.
extension AccessTable {
    static let systemText = """
        createGuest nowhere
          others    201 . .
        createSession nowhere O=403:session.off
          others    O   . .
        redeemPairing nowhere N=404:pairing.invalid
          others    N   . .
        createPairing nowhere
          users     201 . .
        renewToken readMe changeMe listMyRooms listMyBids listMyWins listBlocks nowhere
          users     200 . .
        openRoom blockUser nowhere
          users     201 . .
        unblockUser nowhere N=404:block.not_found
          users     N   . .
        linkGuest nowhere L=403:link.by_guest
          users     L   . .
        listRooms nowhere
          expired   X   . .
          others    200 . .
        readService readStateMachine checkHealth checkReadiness readContract readStreamContract explainProblem readIndex readPageSettings readOperatorPage readOperatorFile readPageFile readPageView nowhere
        readPageClient readClientFile readDocumentation readDocumentationFile listArticles readArticle nowhere
          others    200 . .
        findDocumentation nowhere
          others    308 . .
        readPicture nowhere N=404:media.not_found
          others    N   . .
        readMetrics createServiceToken listServiceTokens revokeServiceToken signInUser listAudit readFeed listWebhooks createWebhook nowhere N=404:route.not_found
        changeWebhook deleteWebhook pauseWebhook resumeWebhook rotateWebhookSecret listDeliveries resendDeliveries testWebhook replayWebhook nowhere N=404:route.not_found
        revokeUserTokens banUser unbanUser listAllRooms readAnyRoom nowhere N=404:route.not_found
          others    N   . .
        leaveForGood nowhere
          users     204 . .
        """

    static let readingText = """
        readRoom listMembers listBids listPermissionRules readPermissionRule readStage listResults exportResults exportResultLines item
        exportResultDocument readEvents listLots readSale item
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned,kicked,stranger,foreign,anonymous   200 -   .
        readLot item N=404:lot.not_found
          host,auctioneer,bidder,viewer,muted        200 200 N
          banned,kicked,stranger,foreign,anonymous   200 -   N
        takeVoiceToken item B=403:voice.banned
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned                                     B   -   .
          kicked,stranger,foreign                    200 -   .
          anonymous                                  T   -   .
        openSocket item
          host,auctioneer,bidder,viewer,muted        101 101 .
          banned,kicked,stranger,foreign,anonymous   101 -   .
        readPermissions item
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned,kicked,stranger,foreign             200 -   .
        takeTicket item
          host,auctioneer,bidder,viewer,muted        201 201 .
          banned,kicked,stranger,foreign             201 -   .
        """

    static let memberText = """
        joinRoom item B=403:member.banned
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned                                     B   B   .
          kicked,stranger,foreign                    201 -   .
        leaveRoom item M=404:member.not_found
          host,auctioneer,bidder,viewer,muted        204 204 .
          banned                                     204 -   .
          kicked,stranger,foreign                    M   -   .
        """

    static let applicationText = """
        listApplications item H=403:application.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
        approveApplication declineApplication item N=404:application.not_found H=403:application.not_host
          host                                       N   N   N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
        """

    static let messageText = """
        listReports item H=403:report.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
        """

    static let auctionText = """
        uploadItem empty R=403:item.not_auctioneer B=403:item.banned
          auctioneer                                 201 201 .
          host,bidder,viewer,muted                   R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
        importLots item R=403:lot.not_auctioneer B=403:lot.banned
          host,auctioneer                            200 200 .
          bidder,viewer,muted                        R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
        uploadPicture item P=415:media.unsupported R=403:lot.not_auctioneer B=403:lot.banned
          host,auctioneer                            P   P   .
          bidder,viewer,muted                        R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
        changeLot item Y=403:lot.not_yours B=403:lot.change_banned N=404:lot.not_found
        withdrawLot item Y=403:withdraw.not_yours B=403:withdraw.banned N=404:lot.not_found
          host,auctioneer                            200 200 N
          bidder,viewer,muted                        Y   Y   N
          banned                                     B   -   N
          kicked,stranger,foreign                    Y   -   N
        reofferLot item Y=403:reoffer.not_yours B=403:reoffer.banned E=409:reoffer.not_ended N=404:lot.not_found
          host,auctioneer                            E   E   N
          bidder,viewer,muted                        Y   Y   N
          banned                                     B   -   N
          kicked,stranger,foreign                    Y   -   N
        placeAbsenteeBid item M=403:absentee.not_member B=403:absentee.banned R=403:absentee.not_bidder O=403:absentee.own_lot N=404:lot.not_found
          bidder,muted                               201 201 N
          auctioneer                                 O   O   N
          host,viewer                                R   R   N
          banned                                     B   -   N
          kicked,stranger,foreign                    M   -   N
        readAbsenteeBid withdrawAbsenteeBid item A=404:absentee.not_found N=404:lot.not_found
          host,auctioneer,bidder,viewer,muted        A   A   N
          banned,kicked,stranger,foreign             A   -   N
        acceptOffer declineOffer item N=404:offer.not_found
          host,auctioneer,bidder,viewer,muted        N   N   .
          banned,kicked,stranger,foreign             N   -   .
        voidResult item N=404:result.not_found H=403:void.not_host
        startSale item N=409:sale.not_automatic H=403:sale.not_host
        stopSale item N=409:sale.not_running H=403:sale.not_host
          host                                       N   N   .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
        """

    static let stageText = """
        inviteToStage item H=403:stage.not_host N=404:stage.not_member
          host                                       201 201 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
        seatMember asked H=403:stage.not_host N=404:stage.not_member
          host                                       200 200 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
        leaveStage seated N=409:stage.not_seated
          bidder                                     200 200 .
          host,auctioneer,viewer,muted               N   N   .
          banned,kicked,stranger,foreign             N   -   .
        acceptStage asked Y=403:stage.not_yours N=404:stage.not_found
          host                                       200 200 N
          auctioneer,bidder,viewer,muted             Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
        confirmStage accepted Y=403:stage.not_yours N=404:stage.not_found
          bidder                                     200 200 N
          host,auctioneer,viewer,muted               Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
        declineStage cancelStage asked Y=403:stage.not_yours N=404:stage.not_found
          host,bidder                                200 200 N
          auctioneer,viewer,muted                    Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
        closeSeat muteSeat clearSeat seated H=403:stage.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
        moveSeat seated Y=403:stage.not_yours
          host,bidder                                200 200 .
          auctioneer,viewer,muted                    Y   Y   .
          banned,kicked,stranger,foreign             Y   -   .
        """
}
