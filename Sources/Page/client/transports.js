// The three ways events come, behind one interface. A transport says `open` when it is connected, `events` for what came,
// `notice` for what has no place in the history, and `lost` once when it is over; it never reconnects by itself.
import { knownTypes } from "./room-state.js";

/** Longer than the server's heartbeat interval: after this silence the connection counts as dead. */
const silenceMs = 40_000;
const pollSeconds = 25;

/** A one-time ticket, since neither EventSource nor WebSocket can carry the token; none is needed without one. */
async function ticketed(link, path, parameters) {
  const query = new URLSearchParams(parameters);
  if (link.request.hasToken()) {
    const { ticket } = await link.request("POST", `/v1/rooms/${link.room}/tickets`, { body: {}, retries: 0, isCommand: false });
    query.set("ticket", ticket);
  }
  return `/v1/rooms/${link.room}/${path}?${query}`;
}

/** Ends a connection that has been silent for too long. */
function watchdog(onSilence) {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    fed() { clearTimeout(timer); timer = setTimeout(onSilence, silenceMs); },
    stop() { clearTimeout(timer); },
  };
}

function sse(link) {
  let source = null;
  let isOver = false;
  const end = (problem) => {
    if (isOver) return;
    isOver = true;
    watch.stop();
    source?.close();
    link.lost(problem);
  };
  const watch = watchdog(() => end(null));
  ticketed(link, "events", { after: link.after() }).then((address) => {
    if (isOver) return;
    source = new EventSource(address);
    source.onopen = () => { watch.fed(); link.open(); };
    // It would reconnect by itself, with a ticket that has been used: the stream does it instead.
    source.onerror = () => end(null);
    const read = (message) => {
      watch.fed();
      try { link.events([JSON.parse(message.data)], false); } catch { end(null); }
    };
    source.onmessage = read;
    for (const type of knownTypes) source.addEventListener(type, read);
    source.addEventListener("notice", (message) => { watch.fed(); link.notice(JSON.parse(message.data)); });
  }, end);
  return { close() { isOver = true; watch.stop(); source?.close(); } };
}

function socket(link) {
  let channel = null;
  let isOver = false;
  const end = (problem) => {
    if (isOver) return;
    isOver = true;
    watch.stop();
    channel?.close();
    link.lost(problem);
  };
  const watch = watchdog(() => end(null));
  ticketed(link, "socket", { after: link.after() }).then((path) => {
    if (isOver) return;
    const address = new URL(path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    channel = new WebSocket(address, "auction-room.v1");
    channel.onopen = () => { watch.fed(); link.open(); };
    channel.onclose = ({ code, reason }) => {
      // 4401: the token expired, and a new ticket shows whether to continue. Banned or gone: reconnecting would not help.
      const isFinal = code === 4403 || code === 4404;
      end(isFinal ? { status: code - 4000, isFinal, detail: reason } : null);
    };
    channel.onmessage = ({ data }) => {
      watch.fed();
      let frame;
      try { frame = JSON.parse(data); } catch { return end(null); }
      if (frame.notice) link.notice(frame);
      else if (frame.seq) link.events([frame], true);
    };
  }, end);
  return { close() { isOver = true; watch.stop(); channel?.close(); } };
}

function poll(link) {
  const abort = new AbortController();
  const run = async () => {
    let wait = 0;
    while (!abort.signal.aborted) {
      // The first response is immediate, so that "live" is shown only once the connection works.
      const page = await link.request(
        "GET", `/v1/rooms/${link.room}/events?after=${link.after()}&wait=${wait}&limit=200`,
        { signal: AbortSignal.any([abort.signal, AbortSignal.timeout((wait + 15) * 1000)]), isHeld: wait > 0 });
      link.open();
      if (page.events.length > 0) link.events(page.events, true);
      if (page.presence) link.notice({ notice: "presence", viewers: page.presence.viewers, serverTime: page.serverTime });
      wait = page.more ? 0 : pollSeconds;
    }
  };
  run().catch((problem) => {
    if (abort.signal.aborted) return;
    if (problem?.status === 404 || problem?.status === 403) problem.isFinal = true;
    link.lost(problem);
  });
  return { close() { abort.abort(); } };
}

export const transports = { sse, socket, poll };
