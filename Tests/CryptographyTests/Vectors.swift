/// Published examples, and signatures that another library made.
///
/// `rs256` and `es256`: RFC 7515 appendices A.2 and A.3; `es384`: RFC 6979 section A.2.6; `eddsa`: RFC 8032 section 7.1; `sealed`: RFC 8439
/// section 2.8.2. The signatures of RSASSA-PSS are by the key of RFC 7515 appendix A.2.
enum Vectors {
    static let modulus = bytes(
        "a1f8160ae2e3c9b465ce8d2d656263362b927dbe29e1f02477fc1625cc90a136e38bd93497c5b6ea63dd7711e67c7429f956b0fb8a8f08"
            + "9adc4b69893cc1333f53edd019b87784252fec914fe4857769594bea4280d32c0f55bf62944f130396bc6e9bdf6ebdd2bda3678eeca0c6"
            + "68f701b38dbffb38c8342ce2fe6d27fade4a5a4874979dd4b9cf9adec4c75b05852c2c0f5ef8a5c1750392f944e8ed64c110c6b647609a"
            + "a4783aeb9c6c9ad755313050638b83665c6f6f7a82a396702a1f641b82d3ebf2392219491fb686872c5716f50af8358d9a8b9d17c34072"
            + "8f7f87d89a18d8fcab67ad84590c2ecf759339363c07034d6f606f9e21e05456cae5e9a1")
    static let rs256 = bytes(
        "702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd73a2663e5166687b000b87226e0187"
            + "ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d97007108db28160d5f8040ca7445762b81fbe7ff9d92e0a"
            + "e76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed40130795bd4bd3b41eecad066ab651981fde48df77f372dc38b9fafdd3befb1"
            + "8b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663"
            + "d16cf7caea56de405cb2215a45b2c25566b55ac1a748a070dfc8a32a469543d019eefb47")
    static let pss = bytes(
        "2b721b976872a8440a9c91bc7b6230a8f5d8318a0f24d9560a66e259dd516358cde17238c3616827f3132596e7ca6e59ecacc14df4eb59"
            + "f549b1016595a26b56ea484c86d02cd7f35813d863e045eaa4eb24d8864ba71944e090447f0d0e615507826717fb58549e8f010b86e7f5"
            + "54d0d0df434b5f8481f34a167b3af85bab5f722a8f37888d6bf57c9c694e114058ca1df1563b10fda39c7b550ef6318e5236406890cbce"
            + "297e0828f1a3dfeccab3f587dc0d212f5a8cc5c3a592e732aa3a33c603b9a25898f06eab6c2325abf48761a911c47db79f5f76e09306a5"
            + "72874df652c83654f4a7f26645440aee0c019e5bfe5920a44157e3fea7c58f84fe66ce73")
    static let pssWithoutSalt = bytes(
        "88876ae865f07af7082ab6d86716264dc2746e6b4a9ab09983dbf70519577b6e1d3cab12ff0cd20bb6be3c178458804b24ef6b9c36485f"
            + "3fa2cc73e86020515dd15d2d99697849decfb67c0cdfb8bf23ba9f16f153a9362ca795f8ba41531e392248ccafada90147d351c7258334"
            + "50a12c5b5031e66ea19290a4c99ae4b6ff93f6d1e08386ad1c0242bb95335575fa670c06529b0c9c36bbcc41d6bfd5723c68088a0c301e"
            + "118384d0d710292bcf6df4e82f2bf23eb22716a295b65a7fa7b51b746a1b74cd668a079dee9644d422c6b75b5863ece3352a748ff27634"
            + "37705021fa2dcf92cf837bb59dae3043319c968b0d24e5e1e82e1f59d58bcd5bf125629b")
    static let pssLeadingZero = bytes(
        "00bdb8bcc72652f441e94c5b1f9b4f4c71c092644439ab20ee336eb06ab74adef27167d6c5d6b7db0647e5ded16d4c3dc60d6404b97914"
            + "65a17b737bf01ef1a7a025fcdd38eb4e8387b9f58f1f9e167dd1aadcae15cdab338c66fa978f0fa2729e83818ac06e1fa820c1f1dd6104"
            + "0fea4c923466704923e65876278bd455c964ebfe3da22a1e4025524491bf61f00995c8b679d4c132a3334ab1ce3e307ee4220e6115ce7f"
            + "6e4da9871245b98de62ebe056a0cdd870452983f540f484ee8d3b3298bb4eb4c9ea8055a20449fd0404fcbb8b8cb404a8c5cea81fd75f2"
            + "91604f7b1e0408d6831e354f97828300b74776276aa79974cbe8918b0de2738442301dbb")
    static let p256 = bytes(
        "7fcdce2770f6c45d4183cbee6fdb4b7b580733357be9ef13bacf6e3c7bd15445c7f144cd1bbd9b7e872cdfedb9eeb9f4b3695d6ea90b24"
            + "ad8a4623288588e5ad")
    static let es256 = bytes(
        "0ed1215379636c483c2f7f155807d402a3b228033af97c7e17819ac3169ea665c50a07d38c3c70e5d8f12daf084a5480a66590c5f29350"
            + "9a8f3f7f8a83a354d5")
    static let p384 = bytes(
        "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc138015d9b72d7d57"
            + "244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720")
    static let es384 = bytes(
        "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe4699ef4aeb15f178"
            + "cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8")
    static let ed25519 = bytes(
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    static let eddsa = bytes(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
            + "eeb00d291612bb0c00")
    static let sealed = bytes(
        "070000004041424344454647d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb"
            + "69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4"
            + "def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691")

    /// What `rs256` and the first two signatures of RSASSA-PSS sign.
    static let signedByRSA = text("eyJhbGciOiJSUzI1NiJ9")
    static let signedByP256 = text("eyJhbGciOiJFUzI1NiJ9")
    static let exponent: [UInt8] = [1, 0, 1]

    /// The JSON Web Signature that RFC 7515 signs, with the header of an algorithm.
    private static func text(_ header: String) -> [UInt8] {
        let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        return Array("\(header).\(claims)".utf8)
    }

    /// The bytes of hexadecimal digits.
    static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
