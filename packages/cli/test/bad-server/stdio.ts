// The shop over stdio, in a process of its own.
import { PassThrough, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { guardStdin, guardStdout } from "@recourse/faults/server";
import { isObject, parseJson } from "@recourse/wire";
import { type Defect, type Incoming, incomingOf, type Reply } from "./defect.ts";
import { createShop, ignoreIncidents } from "./shop.ts";

/** Serves the shop on the pipes of this process. */
export function serveShop(defect: Defect | undefined): void {
  if (defect === undefined) {
    guardStdout();
    guardStdin({ sink: ignoreIncidents });
    serveStdio(createShop);
    return;
  }
  serveBadly(defect);
}

function serveBadly(defect: Defect): void {
  const requests = new Map<unknown, Incoming>();
  const input = new PassThrough();
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  const output = linesTo((bytes) => {
    const line = new TextDecoder().decode(bytes);
    const message = parseJson(line, Number.POSITIVE_INFINITY);
    if (!isObject(message) || defect.change === undefined) return write(line);
    const changed = defect.change(message, requests.get(message["id"]));
    if (changed !== undefined) write(JSON.stringify(changed));
  });
  defect.process?.();
  guardStdin({ sink: ignoreIncidents, stream: input, output });
  serveStdio(createShop, { transport: new StdioServerTransport(input, output) });

  const arrived = linesTo(async (bytes) => {
    const incoming = incomingOf(bytes, { transport: "stdio" });
    if (incoming.id !== undefined) requests.set(incoming.id, incoming);
    const reply = await defect.answer?.(incoming);
    if (reply === undefined) input.write(Buffer.concat([bytes, NEWLINE]));
    else play(reply, write);
  });
  process.stdin.on("end", () => input.end());
  process.stdin.pipe(arrived);
}

const NEWLINE = Buffer.from("\n");

function play(reply: Reply, write: (line: string) => void): void {
  if ("exit" in reply) process.exit(reply.exit);
  if ("never" in reply) return;
  if ("text" in reply) write(reply.text);
  else for (const message of reply.messages) write(JSON.stringify(message));
}

/** A stream that takes bytes and passes on lines. */
function linesTo(take: (line: Uint8Array) => unknown): Writable {
  let held: Buffer[] = [];
  async function takeLines(chunk: Buffer): Promise<void> {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      rest = rest.subarray(end + 1);
      await take(line);
    }
    if (rest.length > 0) held.push(rest);
  }
  return new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      void takeLines(Buffer.from(chunk)).then(() => done());
    },
  });
}
