@testable import AuctionServer
import ExactJSON
import Testing

struct KeySetTests {
    private func refusal(_ jwks: String) -> String? {
        do throws(ServerError) {
            _ = try KeySet(jwks: Array(jwks.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    private func changed(_ algorithm: String, _ change: (inout [String: JSONValue]) -> Void) throws -> String {
        let key = try TokenIssuer.shared.get().key(algorithm)
        var members = Dictionary(uniqueKeysWithValues: (key.members ?? []).map { ($0.name, $0.value) })
        change(&members)
        let changed = members.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: $0.value) }
        return #"{"keys":[\#(JSONValue.object(changed).written)]}"#
    }

    @Test func `every key type is parsed, with its named algorithm or its type's default`() throws {
        let issuer = try TokenIssuer.shared.get()
        #expect(try issuer.keySet().keys.map(\.algorithm.rawValue) == TokenIssuer.algorithms)
        for (algorithm, settled) in zip(TokenIssuer.algorithms, ["RS256", "RS256", "ES256", "ES384", "EdDSA", "HS256"]) {
            let set = try KeySet(jwks: Array(try changed(algorithm) { $0["alg"] = nil }.utf8))
            #expect(set.keys.map(\.algorithm.rawValue) == [settled])
        }
    }

    @Test func `a key is bound to one algorithm, even if its type supports others`() throws {
        let issuer = try TokenIssuer.shared.get()
        let keys = try issuer.keySet(["RS256", "PS256"])
        let bytes = Array("signed".utf8)
        for (name, other) in [("RS256", "PS256"), ("PS256", "RS256")] {
            let key = try #require(keys.key(named: name))
            #expect(key.verifies(try issuer.sign(bytes, name), of: bytes))
            #expect(!key.verifies(try issuer.sign(bytes, other), of: bytes))
            #expect(!key.algorithm.isNamed(other))
        }
    }

    @Test func `keys for other purposes are skipped and reported`() throws {
        let known = try TokenIssuer.shared.get().key("ES256").written
        let others = [
            (#"{"kty":"RSA","use":"enc","n":"AQ","e":"AQAB"}"#, "not for verifying"), (#"{"kty":"ML-DSA"}"#, "kind"),
            (#"{"kty":"EC","crv":"secp256k1","x":"AQ","y":"AQ"}"#, "curve"),
            (#"{"kty":"OKP","crv":"X25519","x":"AQ"}"#, "curve"),
            (#"{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ","key_ops":["deriveKey"]}"#, "not for verifying"),
            (#"{"kty":"RSA","alg":"RS512","n":"AQ","e":"AQAB"}"#, "algorithm"),
        ]
        for (other, reason) in others {
            let set = try KeySet(jwks: Array(#"{"keys":[\#(other),\#(known)]}"#.utf8))
            #expect(set.keys.map(\.id) == ["ES256"])
            #expect(set.unused.count == 1 && set.unused[0].hasPrefix("key 1 ") && set.unused[0].contains(reason))
            #expect(refusal(#"{"keys":[\#(other)]}"#)?.contains("none") == true, "no key is left")
        }
    }

    @Test func `an invalid key set is refused with the reason, without disclosing its content`() throws {
        let key = try TokenIssuer.shared.get().key("ES256").written
        let weak = try changed("HS256") { $0["k"] = .string(Base64URL.encode(Array(repeating: 7, count: 31))) }
        let small = try changed("RS256") { $0["n"] = .string(Base64URL.encode(Array(repeating: 255, count: 128))) }
        let cases: [(String, String)] = [
            ("", "JSON Web Key Set"), ("{}", "JSON Web Key Set"), ("canary", "JSON Web Key Set"),
            (#"{"keys":{}}"#, "JSON Web Key Set"),
            (#"{"keys":[],"keys":[]}"#, "JSON Web Key Set"), (#"{"keys":[]}"#, "none"), (#"{"keys":[1]}"#, "kty"),
            (#"{"keys":[{"kty":"EC"}]}"#, "none"),
            (weak, "31 bytes"), (small, "1024 bits"),
            (try changed("ES256") { $0["x"] = "Y2FuYXJ5" }, "no key"),
            (try changed("ES256") { $0["x"] = "can==ary" }, "base64url"),
            (try changed("ES256") { $0["y"] = nil }, "\"y\""), (try changed("EdDSA") { $0["x"] = "AQ" }, "no key"),
            (try changed("ES256") { $0["d"] = "canary" }, "private key"),
            (
                try changed("ES256") { $0["d"] = "canary" }.replacing("{\"alg\"", with: "{\"kty\":\"canary\",\"alg\""),
                "private key"
            ), (try changed("ES256") { $0["kid"] = 1 }, "\"kid\""),
            (#"{"keys":[\#(Array(repeating: key, count: 101).joined(separator: ","))]}"#, "more than 100"),
        ]
        for (text, reason) in cases {
            let message = try #require(refusal(text), "\(text.prefix(200))")
            #expect(message.contains(reason), "\(message)")
            #expect(!message.contains("canary"))
        }
        let two = try inner(changed("ES256") { $0["kid"] = nil })
        #expect(refusal(#"{"keys":[\#(two),\#(two)]}"#)?.contains("each of several needs") == true)
    }

    private func inner(_ set: String) -> Substring { set.dropFirst(#"{"keys":["#.count).dropLast(2) }

    @Test func `a good key is used beside keys that cannot be, of which each is named`() throws {
        let good = try TokenIssuer.shared.get().key("ES256").written
        let zeros = Array(repeating: UInt8(0), count: 128)
        let others = [
            (try changed("RS256") { $0["n"] = .string(Base64URL.encode(Array(repeating: 255, count: 128))) }, "1024 bits"),
            (try changed("ES384") { $0["x"] = "Y2FuYXJ5" }, "no key"),
            (try changed("ES256") { $0["x"] = "canary" }, "base64url"),
            (try changed("EdDSA") { $0["kid"] = 1 }, "\"kid\" that is no text"),
            (try changed("EdDSA") { $0["kid"] = nil }, "no \"kid\""),
            (try changed("EdDSA") { $0["kid"] = "ES256" }, "\"kid\" of an earlier one"),
            (try changed("EdDSA") { $0["x"] = "AQ==" }, "base64url"), (#"{"keys":[7]}"#, "\"kty\""),
            (try changed("EdDSA") { _ in }.replacing("{\"alg\"", with: "{\"kty\":\"canary\",\"alg\""), "a name twice"),
            (
                try changed("RS256") { $0["n"] = .string(Base64URL.encode(zeros + Array(repeating: 255, count: 128))) },
                "1024 bits"
            ),
            (
                try changed("RS256") { $0["n"] = .string(Base64URL.encode([1] + Array(repeating: 255, count: 255))) },
                "2041 bits"
            ),
        ]
        for (other, reason) in others {
            let set = try KeySet(jwks: Array(#"{"keys":[\#(good),\#(inner(other))]}"#.utf8))
            #expect(set.keys.map(\.id) == ["ES256"])
            #expect(set.key(named: "ES256")?.algorithm.rawValue == "ES256")
            #expect(
                set.unused.count == 1 && set.unused[0].hasPrefix("key 2 ") && set.unused[0].contains(reason), "\(set.unused)")
            #expect(!set.unused[0].contains("canary"))
        }
    }

    @Test func `a secret that is too short is refused at startup`() throws {
        #expect(throws: ServerError.self) { try KeySet(secret: Array(repeating: 7, count: 31)) }
        let keys = try KeySet(secret: Array(repeating: 7, count: 32))
        #expect(keys.key(named: nil) != nil)
        #expect(keys.key(named: "whatever the provider calls it") != nil)
    }
}
