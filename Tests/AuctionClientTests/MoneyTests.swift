import AuctionClient
import Foundation
import Testing

struct MoneyTests {
    @Test func `an amount keeps every digit`() throws {
        #expect(try Money("120", "CNY").minorUnits == 12000)
        #expect(try Money("120.5", "CNY").decimal == "120.50")
        #expect(try Money("0.01", "CNY").minorUnits == 1)
        #expect(try Money("1500", "JPY").decimal == "1500")
        #expect(try Money("1.234", "KWD").minorUnits == 1234)
        #expect(try Money("90071992547409.91", "CNY").minorUnits == Money.maximumMinorUnits)
    }

    @Test func `what is not an exact amount is refused, never rounded`() {
        #expect(throws: MoneyError.tooManyFractionDigits("1.234", allowed: 2)) { try Money("1.234", "CNY") }
        #expect(throws: MoneyError.tooManyFractionDigits("1.5", allowed: 0)) { try Money("1.5", "JPY") }
        #expect(throws: MoneyError.tooLarge) { try Money("90071992547409.92", "CNY") }
        for text in ["", "-1", "+1", "1e3", "1.", ".5", "1,5", " 1", "١", "NaN", "1.0.0"] {
            #expect(throws: MoneyError.self) { try Money(text, "CNY") }
        }
    }

    @Test func `amounts of different currencies are not compared`() throws {
        let yuan = try Money("120.00", "CNY")
        #expect(try yuan.compared(to: Money("119.99", "CNY")) == .more)
        #expect(try yuan.isAtLeast(Money("120", "CNY")))
        #expect(throws: MoneyError.differentCurrencies("CNY", "EUR")) { try yuan.compared(to: Money("1", "EUR")) }
        #expect(throws: MoneyError.differentCurrencies("CNY", "EUR")) { try yuan.adding(Money("1", "EUR")) }
    }

    @Test func `sums that overflow are reported`() throws {
        let most = Money(minorUnits: .max, currency: "CNY")
        #expect(throws: MoneyError.tooLarge) { try most.adding(Money("0.01", "CNY")) }
        #expect(throws: MoneyError.tooLarge) { try most.multiplied(by: 2) }
        #expect(throws: MoneyError.tooLarge) { try Money(minorUnits: .min, currency: "CNY").subtracting(Money("0.01", "CNY")) }
        #expect(try Money("1", "CNY").subtracting(Money("2.50", "CNY")).decimal == "-1.50")
    }

    @Test func `people see the amount as their locale writes it, with its exact digits`() throws {
        let amount = Money(minorUnits: 9_007_199_254_740_991, currency: "EUR")
        #expect(amount.formatted(locale: Locale(identifier: "en_US")) == "€90,071,992,547,409.91")
        #expect(amount.formattedNumber(locale: Locale(identifier: "de_DE")) == "90.071.992.547.409,91")
        #expect(try Money("1500", "JPY").formatted(locale: Locale(identifier: "en_US")) == "¥1,500")
        #expect(try Money("1.5", "KWD").formattedNumber(locale: Locale(identifier: "en_US")) == "1.500")
    }

    @Test func `people type amounts as in their locale`() throws {
        let english = Locale(identifier: "en_US")
        let german = Locale(identifier: "de_DE")
        #expect(try Money(typed: " $1,234.50 ", currency: "USD", locale: english).minorUnits == 123_450)
        #expect(try Money(typed: "1.234,50 €", currency: "EUR", locale: german).minorUnits == 123_450)
        #expect(try Money(typed: "EUR 12,5", currency: "EUR", locale: german).minorUnits == 1250)
        #expect(try Money(typed: "１２０", currency: "CNY", locale: english).minorUnits == 12000)
        #expect(throws: MoneyError.malformed("1,50")) { try Money(typed: "1,50", currency: "USD", locale: english) }
        #expect(throws: MoneyError.malformed("1.50")) { try Money(typed: "1.50", currency: "EUR", locale: german) }
        #expect(try Money(typed: "٥", currency: "CNY", locale: english).minorUnits == 500)
        for other in ["5²", "①", "五", "½"] {
            #expect(throws: MoneyError.malformed(other)) { try Money(typed: other, currency: "CNY", locale: english) }
        }
        #expect(throws: MoneyError.self) { try Money(typed: "-5", currency: "USD", locale: english) }
    }

    @Test(arguments: ["en_IN", "hi_IN", "en_US", "de_DE", "fr_FR"])
    func `what people see they can type`(identifier: String) throws {
        let locale = Locale(identifier: identifier)
        for units: Int64 in [1, 99_999, 123_456, 10_000_000, 1_234_567_890, Money.maximumMinorUnits] {
            let amount = Money(minorUnits: units, currency: "INR")
            let text = amount.formattedNumber(locale: locale)
            #expect(try Money(typed: text, currency: "INR", locale: locale) == amount, "\(text)")
        }
    }

    @Test(arguments: [
        ("CNY", "en_US"), ("PLN", "pl_PL"), ("DKK", "da_DK"), ("SEK", "sv_SE"), ("USD", "en_CA"), ("BRL", "pt_BR"),
        ("ILS", "he_IL"), ("CHF", "de_CH"), ("EUR", "en_CH"),
    ]) func `what people see they can type with its symbol, also one with letters`(code: String, identifier: String) throws {
        let locale = Locale(identifier: identifier)
        for units: Int64 in [1, 1100, 123_456_789] {
            let amount = Money(minorUnits: units, currency: Currency(code))
            let text = amount.formatted(locale: locale)
            #expect(try Money(typed: text, currency: Currency(code), locale: locale) == amount, "\(text)")
        }
    }

    @Test func `letters that are not the currency's are no amount`() throws {
        let (danish, english) = (Locale(identifier: "da_DK"), Locale(identifier: "en_US"))
        #expect(try Money(typed: "Kr 1.200,50", currency: "DKK", locale: danish).minorUnits == 120_050)
        #expect(try Money(typed: "12 dkk", currency: "DKK", locale: danish).minorUnits == 1200)
        #expect(try Money(typed: "CNY 11", currency: "CNY", locale: english).minorUnits == 1100)
        #expect(throws: MoneyError.malformed("ßP")) { try Money(typed: "ßP", currency: "SSP", locale: english) }
        for text in ["kr.", "12 zł", "1kr2", "kr. kr. kr. 5"] {
            #expect(throws: MoneyError.malformed(text)) { try Money(typed: text, currency: "DKK", locale: danish) }
        }
    }

    @Test func `where apostrophes are between groups, the straight one is read too`() throws {
        let swiss = Locale(identifier: "de_CH")
        for text in ["1'234'567.50", "1’234’567.50", "CHF 1'234’567.50"] {
            #expect(try Money(typed: text, currency: "CHF", locale: swiss).minorUnits == 123_456_750, "\(text)")
        }
        #expect(throws: MoneyError.malformed("1'50")) { try Money(typed: "1'50", currency: "CHF", locale: swiss) }
        let german = Locale(identifier: "de_DE")
        #expect(throws: MoneyError.malformed("1'234")) { try Money(typed: "1'234", currency: "EUR", locale: german) }
    }

    @Test func `groups are of three digits, or of two before the last three`() throws {
        let indian = Locale(identifier: "en_IN")
        #expect(try Money(typed: "1,00,000.00", currency: "INR", locale: indian).minorUnits == 10_000_000)
        #expect(try Money(typed: "100,000", currency: "INR", locale: indian).minorUnits == 10_000_000)
        for text in ["1,50", "1,00", "1,00,00", "100,00,000", "1,000,00,000", "1,00,00,0000", ",00,000", "1,,000"] {
            #expect(throws: MoneyError.malformed(text)) { try Money(typed: text, currency: "INR", locale: indian) }
        }
    }
}
