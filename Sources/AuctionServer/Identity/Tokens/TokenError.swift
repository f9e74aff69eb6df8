internal import AuctionDomain

/// Why a token is rejected.
enum TokenError: Error, Equatable {
    /// Not a token, or not signed by a known key. The cases are not distinguished, so that guessing reveals nothing.
    case unknown
    /// Signed by the operator's provider, but a claim is wrong: the claim's name, and what is wrong with it.
    case claim(String, String)
    /// The token expired at this time.
    case expired(Timestamp)
    case revoked
}

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
            }
    }
}
