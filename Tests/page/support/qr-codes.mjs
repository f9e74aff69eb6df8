// Prints QR codes as lines of JSON, for Tests/scripts/browser/qr_codes.py, which reads them with another program.
import { qrModules } from "../../../Sources/Page/qr.js";

const texts = ["https://auction.example/#/rooms/room_3pype17b8wec585enw02ex8qa0?invite=cwjcncaqzx54", "拍卖厅"];
for (let length = 1; length <= 213; length += 1) texts.push(String.fromCharCode(...Array.from({ length }, (_, at) => 33 + ((at * 7 + length * 13) % 90))));
for (const text of texts) console.log(JSON.stringify({ text, rows: qrModules(text).map((row) => row.map(Number).join("")) }));
