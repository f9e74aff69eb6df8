internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let voice: [Route] = [
        Route(
            .takeVoiceToken,
            .room { context, room throws(Problem) in
                guard let options = context.loop.shared.options.voice else { throw .routeNotFound }
                try context.endQuery()
                try context.bodyFields().end()
                // A room that another node may have changed long ago would let a guest speak who does not any more.
                _ = try context.loop.ageHeader(confirmedAt: context.loop.confirmation(of: room.committed))
                guard let viewer = room.viewer else { return .now(try anonymousToken(options, context, room)) }
                try context.loop.takeCommand(of: viewer.person, in: context)
                let right = room.state.voiceRight(of: viewer.id)
                guard right != .none else { throw .bannedFromVoice }
                return .now(
                    token(
                        options, viewer.id.description, name: viewer.person.nickname, speaks: right == .speak, context, room))
            })
    ]

    private static func anonymousToken(
        _ options: VoiceOptions, _ context: RequestContext, _ room: VisibleRoom
    ) throws(Problem) -> Response {
        guard options.admitsAnonymous else { throw .tokenMissing }
        let shared = context.loop.shared
        let limiter = shared.limits.listeners
        if !limiter.isOff {
            let verdict = limiter.take(shared.origins.network(of: context.exchange), at: context.now.monotonic)
            guard verdict.isAllowed else { throw limiter.problem("command.rate", verdict) }
        }
        let (first, second) = (context.loop.nextSeed(), context.loop.nextSeed())
        let identity = LiveKitToken.anonymousPrefix + first.hexadecimal + second.hexadecimal
        return token(options, identity, name: nil, speaks: false, context, room)
    }

    private static func token(
        _ options: VoiceOptions, _ identity: String, name: String?, speaks: Bool, _ context: RequestContext, _ room: VisibleRoom
    ) -> Response {
        let token = LiveKitToken(options).participant(
            identity, name: name, in: room.id, speaks: speaks, at: context.now.actual)
        return .object(reserving: 768) { json in
            json.member("provider", "livekit")
            json.member("url", options.server.url)
            json.member("token", token.text)
            json.member("expiresAt", token.expiresAt)
            json.member("canPublish", speaks)
        }
    }
}

extension Problem {
    fileprivate static let bannedFromVoice = Problem(
        .permissionDenied, code: "voice.banned",
        LocalizedText("You are banned from this room and do not listen either.", "您已被禁止进入该房间,也不能收听。"))
}
