// The rest of the table: operations of auctions and of the stage. AccessTable+Text.swift explains the notation.
extension AccessTable {
    static let auctionText = """
        uploadItem empty R=403:item.not_auctioneer B=403:item.banned
          auctioneer                                 201 201 .
          host,bidder,viewer,muted                   R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        adjustRules item Y=403:rules.not_yours B=403:rules.banned N=404:item.not_found
          host,auctioneer                            200 200 N
          bidder,viewer,muted                        Y   Y   Y
          banned                                     B   -   B
          kicked,stranger,foreign                    Y   -   Y
          anonymous                                  T   T   T
          expired                                    X   X   X
        queueLot item R=403:lot.not_auctioneer B=403:lot.banned
          host,auctioneer                            201 201 .
          bidder,viewer,muted                        R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        importLots item R=403:lot.not_auctioneer B=403:lot.banned
          host,auctioneer                            200 200 .
          bidder,viewer,muted                        R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        uploadPicture item P=415:media.unsupported R=403:lot.not_auctioneer B=403:lot.banned
          host,auctioneer                            P   P   .
          bidder,viewer,muted                        R   R   .
          banned                                     B   -   .
          kicked,stranger,foreign                    R   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        changeLot item Y=403:lot.not_yours B=403:lot.change_banned N=404:lot.not_found
          host,auctioneer                            200 200 N
          bidder,viewer,muted                        Y   Y   N
          banned                                     B   -   N
          kicked,stranger,foreign                    Y   -   N
          anonymous                                  T   T   T
          expired                                    X   X   X
        withdrawLot item Y=403:withdraw.not_yours B=403:withdraw.banned N=404:lot.not_found
          host,auctioneer                            200 200 N
          bidder,viewer,muted                        Y   Y   N
          banned                                     B   -   N
          kicked,stranger,foreign                    Y   -   N
          anonymous                                  T   T   T
          expired                                    X   X   X
        configureSale clearSale item H=403:sale.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        startSale item A=409:sale.not_automatic H=403:sale.not_host
          host                                       A   A   .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        stopSale item N=409:sale.not_running H=403:sale.not_host
          host                                       N   N   .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        startAuction item H=403:start.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        endAuction open H=403:end.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        pause open H=403:pause.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        resume paused H=403:resume.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        cancel open H=403:cancel.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        placeBid open M=403:bid.not_member B=403:bid.banned V=403:bid.viewer H=403:bid.host O=403:bid.own_item
          host                                       H   H   .
          auctioneer                                 O   O   .
          bidder,muted                               201 201 .
          viewer                                     V   V   .
          banned                                     B   -   .
          kicked,stranger,foreign                    M   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        retractBid bids H=403:retract.not_host N=409:retract.not_latest
          host                                       200 200 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
          anonymous                                  T   T   T
          expired                                    X   X   X
        """

    static let stageText = """
        requestStage item H=403:stage.host N=403:stage.not_member B=403:stage.banned
          host                                       H   H   .
          auctioneer,bidder,viewer,muted             201 201 .
          banned                                     B   -   .
          kicked,stranger,foreign                    N   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        inviteToStage item H=403:stage.not_host N=404:stage.not_member
          host                                       201 201 N
          auctioneer,bidder,viewer,muted             H   H   H
          banned,kicked,stranger,foreign             H   -   H
          anonymous                                  T   T   T
          expired                                    X   X   X
        leaveStage seated N=409:stage.not_seated
          bidder                                     200 200 .
          host,auctioneer,viewer,muted               N   N   .
          banned,kicked,stranger,foreign             N   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        acceptStage asked Y=403:stage.not_yours N=404:stage.not_found
          host                                       200 200 N
          auctioneer,bidder,viewer,muted             Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
          anonymous                                  T   T   T
          expired                                    X   X   X
        confirmStage accepted Y=403:stage.not_yours N=404:stage.not_found
          bidder                                     200 200 N
          host,auctioneer,viewer,muted               Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
          anonymous                                  T   T   T
          expired                                    X   X   X
        declineStage cancelStage asked Y=403:stage.not_yours N=404:stage.not_found
          host,bidder                                200 200 N
          auctioneer,viewer,muted                    Y   Y   N
          banned,kicked,stranger,foreign             Y   -   N
          anonymous                                  T   T   T
          expired                                    X   X   X
        closeSeat muteSeat clearSeat seated H=403:stage.not_host
          host                                       200 200 .
          auctioneer,bidder,viewer,muted             H   H   .
          banned,kicked,stranger,foreign             H   -   .
          anonymous                                  T   T   .
          expired                                    X   X   .
        """
}
