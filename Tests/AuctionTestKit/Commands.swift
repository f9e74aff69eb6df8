package import AuctionDomain

// The steps that need no further argument, as commands.
extension Command {
    /// See `AuctionStep`.
    package static func startAuction(_ expected: AuctionTransition) -> Command { .auction(.start, expected) }
    /// See `AuctionStep`.
    package static func endAuction(_ expected: AuctionTransition) -> Command { .auction(.end, expected) }
    /// See `AuctionStep`.
    package static func pause(_ expected: AuctionTransition) -> Command { .auction(.pause, expected) }
    /// See `AuctionStep`.
    package static func resume(_ expected: AuctionTransition) -> Command { .auction(.resume, expected) }
    /// See `AuctionStep`.
    package static func cancel(_ expected: AuctionTransition) -> Command { .auction(.cancel, expected) }
}
