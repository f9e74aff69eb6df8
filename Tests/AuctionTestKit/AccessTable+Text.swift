// Written by hand from the specification: sections 3 and 8 of the product, and "Who is calling" and the table of calls of the HTTP
// surface; never from the responses of the code.
//
// A heading names operations of the contract, the room's situation, and the letters of its legend. Each line below it names kinds of
// callers, then the response in a public room, in a private room, and in a public room for an object id of another room. A number
// is a status of success; a letter is a refusal, the same over HTTP and WebSocket, which leaves the room unchanged. Letters of every
// legend: T no token, X an expired token, - the room is hidden from the caller (404). A dot: no such case.
extension AccessTable {
    static let systemText = """
        createGuest nowhere
          others    201 . .
        renewToken nowhere
          anonymous T   . .
          expired   X   . .
          others    200 . .
        openRoom nowhere
          anonymous T   . .
          expired   X   . .
          others    201 . .
        readMe changeMe listMyRooms listMyBids listMyWins nowhere
          anonymous T   . .
          expired   X   . .
          others    200 . .
        linkGuest nowhere L=403:link.by_guest
          anonymous T   . .
          expired   X   . .
          others    L   . .
        listRooms nowhere
          expired   X   . .
          others    200 . .
        readService readStateMachine checkHealth checkReadiness readContract readStreamContract explainProblem readIndex readPageFile readPageView nowhere
          others    200 . .
        readPageClient readClientFile readDocumentation readDocumentationFile listArticles readArticle nowhere
          others    200 . .
        findDocumentation nowhere
          others    308 . .
        readPicture nowhere N=404:media.not_found
          others    N   . .
        readMetrics nowhere N=404:route.not_found
          others    N   . .
        """

    static let readingText = """
        readRoom listMembers listBids listPermissionRules readPermissionRule readStage listResults exportResults exportResultLines exportResultDocument readEvents item
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned,kicked,stranger,foreign,anonymous   200 -   .
          expired                                    X   X   .
        listLots readSale item
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned,kicked,stranger,foreign,anonymous   200 -   .
          expired                                    X   X   .
        readLot item N=404:lot.not_found
          host,auctioneer,bidder,viewer,muted        200 200 N
          banned,kicked,stranger,foreign,anonymous   200 -   N
          expired                                    X   X   X
        openSocket item
          host,auctioneer,bidder,viewer,muted        101 101 .
          banned,kicked,stranger,foreign,anonymous   101 -   .
          expired                                    X   X   .
        readPermissions item
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned,kicked,stranger,foreign             200 -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        takeTicket item
          host,auctioneer,bidder,viewer,muted        201 201 .
          banned,kicked,stranger,foreign             201 -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        """

    static let memberText = """
        archiveRoom item H=403:room.not_host
          host                                       204 204 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        joinRoom item B=403:member.banned
          host,auctioneer,bidder,viewer,muted        200 200 .
          banned                                     B   B   .
          kicked,stranger,foreign                    201 -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        leaveRoom item M=404:member.not_found
          host,auctioneer,bidder,viewer,muted        204 204 .
          banned                                     204 -   .
          kicked,stranger,foreign                    M   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        changeMember item H=403:role.not_host N=404:member.not_found
          host                                       200 200 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
          anonymous                                  T   T   T
          expired                                    X   X   X
        kick item H=403:kick.not_host N=404:member.not_found
          host                                       204 204 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
          anonymous                                  T   T   T
          expired                                    X   X   X
        configurePermissions item H=403:permission.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        sendMessage item N=403:message.not_member M=403:message.muted B=403:message.banned
          host,auctioneer,bidder,viewer              201 201 .
          muted                                      M   M   .
          banned                                     B   -   .
          kicked,stranger,foreign                    N   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        removeMessage item H=403:message.not_host N=404:message.not_found
          host                                       204 204 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
          anonymous                                  T   T   T
          expired                                    X   X   X
        """
}
