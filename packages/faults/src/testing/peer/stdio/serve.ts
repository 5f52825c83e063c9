import type { Readable, Writable } from "node:stream";
import type { Json } from "../../../dialects/wire.ts";
import { message_too_large } from "../../../reasons/library/content.ts";
import { parse } from "../http/receive.ts";
import type { Effect } from "../ledger.ts";
import { type Ask, readMessage } from "../message.ts";
import type { CoreOptions } from "../options.ts";
import { createCore } from "../peer.ts";
import { createScript, type Plan } from "../script.ts";
import { deliver } from "../surface/notifications.ts";
import { isStdioMisbehaviour, STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours.ts";
import { line } from "./turn.ts";

/** The process around a peer. */
export interface Surroundings {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  readonly exit: (how: number | "SIGKILL") => void;
  /** Told of every effect before anybody can answer for it. */
  readonly write: (effect: Effect) => void;
}

const DEFAULT_MS = 200;

/** Serves one client until it closes its end. */
export async function serveLines(options: CoreOptions<StdioMisbehaviourName>, around: Surroundings): Promise<void> {
  const core = createCore(options, around.write);
  const script = createScript(isStdioMisbehaviour, options);
  const ended = new AbortController();
  let session: string | undefined;
  let opening: Promise<void> = Promise.resolve();
  around.output.on("error", () => {});

  const out = (bytes: string | Uint8Array): Promise<void> => written(around.output, bytes);
  const send = (message: Json): void => void out(line(message));

  async function take(bytes: Buffer): Promise<void> {
    const { messageBytes: maxSize } = core.world.limits;
    let ask: Ask;
    try {
      if (bytes.length > maxSize) throw message_too_large({ actualSize: bytes.length, maxSize });
      const incoming = readMessage(parse(bytes));
      if (incoming.is === "answer") {
        deliver(core.world.sessions.get(session ?? ""), incoming.id, incoming.message);
        return;
      }
      ask = incoming.ask;
    } catch (thrown) {
      await opening;
      const { message } = core.refuse(thrown);
      if (message !== undefined) await out(line(message));
      return;
    }
    // What comes on the heels of a hello belongs to the session that it begins.
    await opening;
    const handled = handle(ask);
    if (ask.method === "initialize") opening = handled;
    await handled;
  }

  async function handle(ask: Ask): Promise<void> {
    const plan = ask.id === undefined ? undefined : script.take(ask);
    const applied = core.record(ask, plan?.do ?? "ok");
    const facts = { session, version: undefined, authorization: undefined, signal: ended.signal, applied };
    const carriesOut = plan === undefined || plan.commit || STDIO_MISBEHAVIOURS[plan.do].commits;
    const honest = carriesOut ? await core.reply(ask, { ...facts, send }) : undefined;
    session = honest?.session ?? session;
    if (plan !== undefined) await misdo(plan, ask, honest?.message ?? {});
    // Nothing answers a notification here, not even a refusal.
    else if (ask.id !== undefined && honest?.message !== undefined) await out(line(honest.message));
  }

  async function misdo(plan: Plan<StdioMisbehaviourName>, ask: Ask, reply: Json): Promise<void> {
    const row = STDIO_MISBEHAVIOURS[plan.do];
    const cancel = new AbortController();
    if (ask.id !== undefined) core.world.sessions.get(session ?? "")?.running.set(ask.id, cancel);
    await row.act(
      {
        ask,
        ms: plan.ms ?? options.ms ?? DEFAULT_MS,
        signal: ended.signal,
        cancelled: cancel.signal,
        out,
        complain: (...lines) => written(around.errors, `${lines.join("\n")}\n`),
        closeOut: () => around.output.destroy(),
        exit: around.exit,
      },
      reply,
    );
  }

  for await (const bytes of linesOf(around.input)) void take(bytes);
  ended.abort();
}

function written(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(bytes, () => resolve());
  });
}

/** The lines of a stream, as bytes: what is no UTF-8 must arrive as it is. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      if (end > 0) yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
}
