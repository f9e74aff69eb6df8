// The real program as a process, for tests in Node: starts it, waits for its ready line, kills it.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createInterface } from "node:readline";

const binary = process.env.AUCTION_ROOM_BIN ?? "";
const noLimits = ["--limit-bids-per-second", "0", "--limit-messages-per-second", "0", "--limit-guests-per-minute", "0", "--limit-commands-per-second", "0"];
const running = new Set();
process.on("exit", () => { for (const each of running) each.kill("SIGKILL"); });

export function requireBinary() {
  try { accessSync(binary, constants.X_OK); } catch {
    console.error(`AUCTION_ROOM_BIN=${binary || "(not set)"} is not an executable; \`make test\` sets it`);
    process.exit(1);
  }
}

export class Server {
  /** @param store as in `--store`; `port` 0 is a free one */
  static async start(store, port = 0, more = []) {
    const child = spawn(binary, ["serve", "--store", store, "--port", String(port), ...noLimits, ...more], { stdio: ["ignore", "pipe", "ignore"] });
    running.add(child);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    for await (const line of createInterface({ input: child.stdout })) {
      const ready = /^auction-room is ready at (https?:\/\/\S+:(\d+))$/.exec(line);
      if (ready) return new Server(child, gone, ready[1], Number(ready[2]));
    }
    throw new Error("the server did not become ready");
  }

  constructor(child, gone, address, port) { Object.assign(this, { child, gone, address, port }); }

  /** kill -9; resolves when the process is gone. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.gone;
    running.delete(this.child);
  }
}
