// A peer of `make bench`, never shipped: what Node's own `http` does for a POST whose JSON is parsed and answered, with nothing kept.
// node server.mjs PORT
import { createServer } from "node:http";

const bytes = 450; // about an accepted bid's response body
const padding = "x".repeat(bytes);

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const amount = text === "" ? null : JSON.parse(text).amount;
    const body = JSON.stringify({ amount, padding });
    response.writeHead(201, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
