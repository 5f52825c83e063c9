// The peer on stdin and stdout: reads each line, and writes the correct reply or misbehaves.

import { appendFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { content } from "@recourse/core/reasons";
import { type JsonObject, readLines } from "@recourse/core/wire";
import { DEFAULT_DELAY_MS } from "./clock.ts";
import { errorResponse, type PeerRequest, parseBytes, parseClientMessage } from "./json-rpc.ts";
import { messageLine, STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
import { type CompliantServerOptions, createCompliantServer } from "./server/compliant-server.ts";
import { type AppliedEffect, createStepQueue, type PlannedStep, type StepOptions } from "./step-queue.ts";

export interface ServeStdioOptions extends CompliantServerOptions, StepOptions<StdioMisbehaviourName> {
  /** How long misbehaviours take that are about time. @default 200 */
  readonly delayMs?: number;
}

interface HostProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly exit: (how: number | "SIGKILL") => void;
  /** Called for every effect, before its call is answered. */
  readonly onEffect: (effect: AppliedEffect) => void;
}

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

  async function receive(line: Uint8Array): Promise<void> {
    const { messageBytes: maxSize } = server.state.limits;
    let request: PeerRequest;
    try {
      if (line.length > maxSize) throw content.message_too_large({ actualSize: line.length, maxSize });
      request = parseClientMessage(parseBytes(line));
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
      // The author of the test must see that a step does not exist, and the peer continues.
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      return send(errorResponse(request.id, { code: INVALID_PARAMS, message }));
    }
    const onEffect = server.record(request, step?.do ?? "ok");
    const transport = { session, version: undefined, signal: closed.signal, onEffect, send };
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

  // A line may not be UTF-8, so it stays bytes.
  for await (const { bytes } of readLines(host.stdin)) if (bytes.length > 0) void receive(bytes);
  closed.abort();
}

function writeTo(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(bytes, () => resolve());
  });
}

/** Options of a peer on the stdin and stdout of this process. */
export interface StdioProcessOptions extends ServeStdioOptions {
  /** A file to which one line per effect is written. @default none */
  readonly effectsFile?: string | undefined;
  /** Ends the peer when it is aborted. @default the peer ends with its input */
  readonly signal?: AbortSignal | undefined;
}

/** Serves the client that started this process until it closes stdin. A misbehaviour may end the process. */
export async function serveThisProcess({ effectsFile, signal, ...options }: StdioProcessOptions): Promise<void> {
  const { stdin, stdout, stderr } = process;
  signal?.addEventListener("abort", () => stdin.destroy(), { once: true });
  const serving = serveStdio(options, {
    ...{ stdin, stdout, stderr },
    exit(how) {
      if (how === "SIGKILL") process.kill(process.pid, how);
      else process.exit(how);
    },
    onEffect(effect) {
      if (effectsFile !== undefined) appendFileSync(effectsFile, `${JSON.stringify(effect)}\n`);
    },
  });
  await serving.catch((thrown: unknown) => {
    // Reading ends with an error if stdin was destroyed by the signal.
    if (signal?.aborted !== true) throw thrown;
  });
}
