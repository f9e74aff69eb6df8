import AuctionClient
import Foundation

// The code of the article SigningIn.md, word for word; TutorialTests compares them.

/// The client of an app whose users have accounts, and the tokens to sign them in with.
func accountClient(at address: URL, sessions: any SessionStore) throws -> (client: AuctionClient, account: AccountTokens) {
    let transport = URLSessionTransport(baseURL: address)
    let account = try AccountTokens(transport: transport, store: sessions)
    var configuration = ClientConfiguration()
    configuration.tokens = account
    return (AuctionClient(transport: transport, configuration: configuration), account)
}

/// What the device that is signed in shows.
func pairingText(of client: AuctionClient) async throws -> String {
    let pairing = try await client.createPairing()
    return "\(pairing.code.prefix(4))-\(pairing.code.suffix(4))"
}

/// What the other device does with what its user has typed.
func goOn(as account: AccountTokens, with typed: String) async throws -> String {
    try await account.signIn(pairingCode: typed).nickname
}
