// The shop over stdio.
import { PassThrough, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { guardStdin, guardStdout } from "@recourse/core/server";
import { isObject, parseJson, sleep } from "@recourse/core/wire";
import type { ProgramHost } from "../support/inner-program.ts";
import { type Defect, type Incoming, incomingOf, type Reply } from "./defect.ts";
import { createShop, ignoreIncidents } from "./shop.ts";

/** Serves the shop on the pipes of a program. */
export function serveShop(defect: Defect | undefined, program: ProgramHost): void {
  const { stdin, stdout } = program;
  if (defect === undefined) {
    guardStdout({ stream: stdout });
    guardStdin({ sink: ignoreIncidents, stream: stdin, output: stdout });
    serveStdio(createShop, { transport: new StdioServerTransport(stdin, stdout) });
    return;
  }
  serveBadly(defect, program);
}

function serveBadly(defect: Defect, program: ProgramHost): void {
  const requests = new Map<unknown, Incoming>();
  const input = new PassThrough();
  const write = (line: string) => void program.stdout.write(`${line}\n`);
  const output = linesTo((bytes) => {
    const line = new TextDecoder().decode(bytes);
    const message = parseJson(line, Number.POSITIVE_INFINITY);
    if (!isObject(message) || defect.change === undefined) return write(line);
    const changed = defect.change(message, requests.get(message["id"]));
    if (changed !== undefined) write(JSON.stringify(changed));
  });
  defect.starts?.(program);
  guardStdin({ sink: ignoreIncidents, stream: input, output });
  serveStdio(createShop, { transport: new StdioServerTransport(input, output) });

  const arrived = linesTo(async (bytes) => {
    const incoming = incomingOf(bytes, { transport: "stdio", program });
    if (incoming.id !== undefined) requests.set(incoming.id, incoming);
    const reply = await defect.answer?.(incoming);
    // This defect is to be slow.
    if (reply !== undefined && "afterMs" in reply) await sleep(reply.afterMs);
    if (reply === undefined || "afterMs" in reply) input.write(Buffer.concat([bytes, NEWLINE]));
    else if ("exit" in reply) program.exit(reply.exit);
    else play(reply, write);
  });
  program.stdin.on("end", () => input.end());
  program.stdin.pipe(arrived);
}

const NEWLINE = Buffer.from("\n");

function play(reply: Exclude<Reply, { afterMs: number } | { exit: number }>, write: (line: string) => void): void {
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
