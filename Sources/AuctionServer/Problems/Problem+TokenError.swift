internal import AuctionService

extension Problem {
    init(_ tokenError: TokenError) {
        self =
            switch tokenError {
            case .unknown: .unauthorized("token.invalid", "The token is not valid here.", "令牌无效。")
            case .claim(let name, let problem):
                .unauthorized(
                    "token.invalid", "The token is not valid here: its claim \"\(name)\" \(problem).",
                    "令牌无效:声明 \"\(name)\" 不符合要求。")
            case .expired(let instant):
                .unauthorized("token.expired", "The token expired at \(instant); make a new one.", "令牌已于 \(instant) 过期。")
            case .revoked: .unauthorized("token.revoked", "The token was revoked; sign in again.", "令牌已被吊销,请重新登录。")
            case .banned: .userBanned
            }
    }
}
