#if canImport(Security)
    public import AuctionClientCore
    internal import Foundation
    internal import Security

    /// Keeps the session of a guest in the Keychain of this device: readable by the app after the first unlock, also in the background, and
    /// in no backup of another device. Compiled on Apple's systems only.
    public struct KeychainSessionStore: SessionStore {
        /// The item's service, such as the app's bundle identifier.
        public let service: String
        /// The item's account, such as the host of the auction service.
        public let account: String

        /// A store for one session.
        public init(service: String, account: String) { (self.service, self.account) = (service, account) }

        private var item: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
            ]
        }

        /// The stored session.
        /// - Throws: `KeychainError`, or `DecodingError` for what an incompatible version stored.
        public func load() throws -> Session? {
            let query = item.merging([kSecReturnData as String: true]) { $1 }
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            return try JSONDecoder().decode(Session.self, from: data)
        }

        /// Replaces the stored session.
        /// - Throws: `KeychainError`.
        public func save(_ session: Session) throws {
            let value: [String: Any] = [
                kSecValueData as String: try JSONEncoder().encode(session),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound { status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil) }
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }

        /// Removes the stored session.
        /// - Throws: `KeychainError`.
        public func remove() throws {
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status: status) }
        }
    }

    /// What the Keychain said.
    public struct KeychainError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The status, such as `errSecInteractionNotAllowed` (-25308) before the first unlock.
        public let status: Int32

        public var description: String { "the Keychain failed with status \(status)" }
    }
#endif
