// The peer on stdin and stdout: reads each line, and writes the correct reply or misbehaves.
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "../../json/read.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { DEFAULT_DELAY_MS } from "./clock.ts";
import type { AppliedEffect } from "./effect-log.ts";
import { errorResponse, type PeerRequest, parseBytes, readMessage } from "./json-rpc.ts";
import { messageLine, STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
import { type CompliantServerOptions, createCompliantServer } from "./server/compliant-server.ts";
import { createStepQueue, type PlannedStep, type StepOptions } from "./step-queue.ts";

/** Options of a peer on stdin and stdout. */
export interface ServeStdioOptions extends CompliantServerOptions, StepOptions<StdioMisbehaviourName> {
  /**
   * How long misbehaviours take that are about time.
   *
   * @default 200
   */
  readonly delayMs?: number;
}

/** The process around a peer. */
export interface HostProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly exit: (how: number | "SIGKILL") => void;
  /** Called for every effect, before its call is answered. */
  readonly onEffect: (effect: AppliedEffect) => void;
}

const LINE_FEED = 10;
const INVALID_PARAMS = -32_602;

/** Serves one client until it closes stdin. */
export async function serveStdio(options: ServeStdioOptions, host: HostProcess): Promise<void> {
  const server = createCompliantServer(options, host.onEffect);
  const steps = createStepQueue<StdioMisbehaviourName>(STDIO_MISBEHAVIOURS, options);
  const closed = new AbortController();
  let session: string | undefined;
  let initializing: Promise<void> = Promise.resolve();
  host.stdout.on("error", () => {});

  const writeStdout = (bytes: string | Uint8Array): Promise<void> => writeTo(host.stdout, bytes);
  const send = (message: JsonObject): void => void writeStdout(messageLine(message));

  async function receive(line: Buffer): Promise<void> {
    const { messageBytes: maxSize } = server.state.limits;
    let request: PeerRequest;
    try {
      if (line.length > maxSize) throw message_too_large({ actualSize: line.length, maxSize });
      const message = readMessage(parseBytes(line));
      if (message.type === "response") {
        return server.deliver(session, message);
      }
      request = message.request;
    } catch (thrown) {
      await initializing;
      const { message } = server.replyToUnreadable(thrown);
      if (message !== undefined) send(message);
      return;
    }
    // A request right behind `initialize` belongs to the session that `initialize` begins.
    await initializing;
    const handled = handle(request);
    if (request.method === "initialize") initializing = handled;
    await handled;
  }

  async function handle(request: PeerRequest): Promise<void> {
    let step: PlannedStep<StdioMisbehaviourName> | undefined;
    try {
      step = request.id === undefined ? undefined : steps.take(request);
    } catch (thrown) {
      // The author of the test must see that a step does not exist, and the peer goes on.
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      return send(errorResponse(request.id, { code: INVALID_PARAMS, message }));
    }
    const onEffect = server.record(request, step?.do ?? "ok");
    const transport = { session, version: undefined, authorization: undefined, signal: closed.signal, onEffect, send };
    const isCarriedOut = step === undefined || step.commit || STDIO_MISBEHAVIOURS[step.do].commits;
    const reply = isCarriedOut ? await server.reply(request, transport) : undefined;
    session = reply?.session ?? session;
    if (step !== undefined) await misbehaveOverStdio(step, request, reply?.message ?? {});
    // A notification gets no answer on this transport, not even an error.
    else if (request.id !== undefined && reply?.message !== undefined) await writeStdout(messageLine(reply.message));
  }

  async function misbehaveOverStdio(
    step: PlannedStep<StdioMisbehaviourName>,
    request: PeerRequest,
    reply: JsonObject,
  ): Promise<void> {
    const cancel = new AbortController();
    if (request.id !== undefined) server.state.sessions.get(session ?? "")?.running.set(request.id, cancel);
    const exchange = {
      request,
      delayMs: step.delayMs ?? options.delayMs ?? DEFAULT_DELAY_MS,
      signal: closed.signal,
      cancelled: cancel.signal,
      writeStdout,
      writeStderr: (...lines: readonly string[]) => writeTo(host.stderr, `${lines.join("\n")}\n`),
      closeStdout: () => host.stdout.destroy(),
      exit: host.exit,
    };
    await STDIO_MISBEHAVIOURS[step.do].act(exchange, reply);
  }

  for await (const line of linesFrom(host.stdin)) void receive(line);
  closed.abort();
}

function writeTo(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(bytes, () => resolve());
  });
}

/** The lines of a stream, as bytes, because a line may not be UTF-8. */
async function* linesFrom(stdin: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      if (end > 0) yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
}
