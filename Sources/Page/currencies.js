// The currencies that a room may have, and the one that is likely where the user lives.

/** The active codes of ISO 4217, which the server takes. */
export const codes = ("AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU "
  + "CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY "
  + "KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR "
  + "NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY "
  + "TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG").split(" ");

const usual = ["EUR", "USD", "GBP", "CHF", "CNY", "HKD", "JPY"];
const regions = {
  AE: "AED", AR: "ARS", AU: "AUD", BR: "BRL", CA: "CAD", CH: "CHF", CL: "CLP", CN: "CNY", CO: "COP", CZ: "CZK", DK: "DKK", EG: "EGP", GB: "GBP", HK: "HKD",
  HU: "HUF", ID: "IDR", IL: "ILS", IN: "INR", IS: "ISK", JP: "JPY", KR: "KRW", KW: "KWD", LI: "CHF", MO: "MOP", MX: "MXN", MY: "MYR", NO: "NOK", NZ: "NZD",
  PH: "PHP", PL: "PLN", RO: "RON", RS: "RSD", RU: "RUB", SA: "SAR", SE: "SEK", SG: "SGD", TH: "THB", TR: "TRY", TW: "TWD", UA: "UAH", US: "USD", VN: "VND",
  ZA: "ZAR",
};
for (const region of "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK".split(" ")) regions[region] = "EUR";

/** @param languages those of the browser, the favourite first: "de-AT" lives with the euro */
export function likelyCurrency(languages) {
  for (const tag of languages ?? []) {
    try {
      const known = regions[new Intl.Locale(tag).maximize().region];
      if (known) return known;
    } catch { /* No tag of a language. */ }
  }
  return "USD";
}

/** What a list offers: `{ code, label }`, the likely and usual ones first and the others by their names. @param language that of the names */
export function currencyList(likely, language) {
  const names = new Intl.DisplayNames([language], { type: "currency" });
  const entry = (code) => ({ code, label: names.of(code) === code ? code : `${names.of(code)} (${code})` });
  const first = [...new Set([likely, ...usual])];
  const others = codes.filter((code) => !first.includes(code)).map(entry).sort((a, b) => a.label.localeCompare(b.label, language));
  return { usual: first.map(entry), others };
}
