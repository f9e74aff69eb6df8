// Follows a room by server-sent events as they arrive in fetch's stream: node follow.mjs URL COUNT; prints a seq a line.
const [url, count] = process.argv.slice(2);
const answer = await fetch(url, { headers: { Accept: "text/event-stream" } });
if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
let rest = "";
let seen = 0;
const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
while (seen < Number(count)) {
  const { value, done } = await reader.read();
  if (done) throw new Error("the stream ended");
  rest += value;
  const blocks = rest.split("\n\n");
  rest = blocks.pop();
  for (const block of blocks) {
    const data = block.split("\n").find((line) => line.startsWith("data: "));
    const id = block.split("\n").find((line) => line.startsWith("id: "));
    if (!data || !id) continue;
    const event = JSON.parse(data.slice(6));
    if (String(event.seq) !== id.slice(4)) throw new Error(`id ${id} on the event with seq ${event.seq}`);
    console.log(event.seq);
    seen += 1;
  }
}
await reader.cancel();
