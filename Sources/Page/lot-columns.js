// What the columns of a file of lots mean, as far as their headings say it.

/** The headings of each column beside its name, as the server knows them: lower case, without blanks and punctuation. */
export const headings = {
  name: "title itemname itemtitle item lotname lottitle titel bezeichnung losbezeichnung product productname object objectname "
    + "artikelbezeichnung artikel artikelname objekt gegenstand 名称 名稱 标题 標題 品名 拍品 拍品名称 拍品名稱 物品 物品名称 商品名称 商品名稱 商品 产品 產品 产品名称 產品名稱",
  description: "details itemdescription lotdescription beschreibung artikelbeschreibung objektbeschreibung 描述 说明 說明 简介 簡介 详情 拍品描述",
  condition: "itemcondition zustand erhaltung erhaltungszustand artikelzustand 品相 成色 状态 狀態 状况 狀況",
  estimate: "est estimaterange estimatedprice schätzpreis schätzung schätzwert taxe 估价 估價 估值 预估价",
  estimateLow: "lowestimate estlow lowest estimatefrom estimatemin minestimate schätzpreisvon schätzpreisunten schätzwertvon schätzungvon "
    + "untererschätzpreis untereschätzung taxevon 最低估价 最低估價 估价下限 估價下限 低估价",
  estimateHigh: "highestimate esthigh estimateto estimatemax maxestimate schätzpreisbis schätzpreisoben schätzwertbis schätzungbis "
    + "obererschätzpreis obereschätzung taxebis 最高估价 最高估價 估价上限 估價上限 高估价",
  reference: "ref lot lotno lotnr lotnumber lotid no number los losnr losnummer nr nummer katalognr katalognummer referenz referenznummer "
    + "artikelnr artikelnummer 编号 編號 拍品编号 拍品編號 拍品号 拍品號 货号 貨號 图录号 圖錄號 序号 序號",
  media: "image images imageurl imageurls picture pictures pictureurl pictureurls photo photos photourl photourls bild bilder bildurl "
    + "bildadresse bildadressen foto fotos 图片 圖片 照片 图片地址 图片链接",
  startingPrice: "startprice openingprice startingbid startbid openingbid price start minimumbid minbid startpreis anfangspreis ausruf "
    + "ausrufpreis ausrufspreis aufrufpreis startgebot mindestgebot preis 起拍价 起拍價 起拍价格 起拍價格 开拍价 開拍價 起始价 起始價 起价 价格",
  increment: "bidincrement minimumincrement step bidstep steigerung steigerungsschritt steigerungsstufe erhöhung erhöhungsschritt "
    + "bietschritt gebotsschritt 加价幅度 加價幅度 加价 增幅 竞价阶梯",
  reservePrice: "reserve reserveamount mindestpreis mindestverkaufspreis limit limitpreis vorbehaltspreis 保留价 保留價 底价 底價",
  buyNowPrice: "buynow buyitnow buyitnowprice sofortkauf sofortkaufpreis sofortpreis 一口价 一口價",
  floorPrice: "floor lowestprice untergrenze 最低价 最低價",
  listingSeconds: "",
  biddingSeconds: "",
  countdown: "",
  extendWindowSeconds: "",
  extendBySeconds: "",
  maxDurationSeconds: "",
  dutchTickSeconds: "",
  format: "auctionformat auktionsformat 拍卖方式 拍賣方式",
  tie: "",
};

const amounts = ["startingPrice", "increment", "reservePrice", "buyNowPrice", "floorPrice", "estimate", "estimateLow", "estimateHigh"];
export const isAmount = (column) => amounts.includes(column);
/** The column that may be there more than once. */
export const pictures = "media";
export const required = ["name", "startingPrice"];
const columns = new Map(Object.entries(headings).flatMap(([column, words]) => [column.toLowerCase(), ...words.split(" ").filter(Boolean)].map((word) => [word, column])));
const currencies = new Set(Intl.supportedValuesOf?.("currency"));
// Letters whose accents are apart, and full-width signs of currencies, are the usual ones.
const wordsOf = (text) => text.normalize("NFKC").toLowerCase().match(/[\p{Alphabetic}\p{N}\p{Sc}]+/gu) ?? [];

/** The sign or code of a currency at the end of a heading; nothing where there is none. */
function markOf(heading) {
  const mark = wordsOf(heading).at(-1) ?? "";
  return /\p{Sc}/u.test(mark) || currencies.has(mark.toUpperCase()) ? mark.toUpperCase() : null;
}

/** Whether the amounts of a column may be in this currency. @param symbol its sign, as the page shows it */
export function fitsCurrency(heading, currency, symbol) {
  const mark = wordsOf(heading).length > 1 ? markOf(heading) : null;
  return mark === null || [currency, symbol.toUpperCase()].includes(mark);
}

/** The column that a heading names, or null. */
export function columnOf(heading) {
  const words = wordsOf(heading);
  const known = columns.get(words.join(""));
  if (known) return known;
  const amount = columns.get(words.slice(0, -1).join(""));
  if (amounts.includes(amount) && markOf(heading)) return amount;
  // Some files have a column for each picture: "Image 1", "Photo2".
  if (columns.get(words.join("").replace(/[0-9]+$/, "")) === pictures) return pictures;
  return columns.get(wordsOf(heading.split(/[([]/)[0]).join("")) ?? null;
}

/** The heading that is sent of a column that means this. It keeps the currency, which the server compares with the room's. */
export function headingOf(column, heading) {
  const mark = amounts.includes(column) && wordsOf(heading).length > 1 && markOf(heading);
  return mark ? `${column} (${mark})` : column;
}
