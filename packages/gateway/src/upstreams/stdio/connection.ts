import type { Child, ChildExit } from "@recourse/core/node";
import { LineReader, memberAt, objectAt, parseJson, SUBSCRIPTION_ID_KEY, sleep } from "@recourse/core/wire";
import type { Span } from "../../call/json-bytes.ts";
import { onOneLine, withSpans } from "../../call/json-edit.ts";
import { PausableTimer } from "../../call/pausable-timer.ts";
import { refusedRequest, type ServerAnswer, type ServerRequest } from "../../call/server-request.ts";
import { CallQuestions } from "../call-questions.ts";
import { Allowance, UNASKED } from "../flood.ts";
import { asBuffer, type Envelope, findEnvelope, readProgress, replaceProgressToken } from "../message.ts";
import { ServerRequests } from "../server-requests.ts";
import { encodeLine, LineEnds, type Outgoing, type StdioEnding } from "./exchange.ts";

export interface ConnectionOptions {
  readonly child: Child;
  readonly maxLineBytes: number;
  /** What is unguessable in the progress tokens of this connection. */
  readonly nonce: string;
  /** Receives a remark about what the child wrote. */
  readonly onStray: (remark: string) => void;
  /** Whether all calls are those of one caller, so that what the child says is for it. */
  readonly isOwned: boolean;
  /** A request of the child could not be passed on, since calls of several sessions are under way. */
  readonly onUnclear: () => void;
  /** Receives notifications that belong to no call. */
  readonly onNotification: (method: string, message: Buffer) => void;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

interface PendingCall {
  readonly outgoing: Outgoing;
  /** The caller's progress token, as JSON. */
  readonly token: string | undefined;
  /** Undefined if its caller cannot be asked. */
  readonly questions: CallQuestions | undefined;
  end(ended: StdioEnding): void;
}

/** Bytes that may wait to be read by the child; further messages are refused. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** What was written before the end of a child may still be in its pipe. */
const PIPE_DRAIN_MS = 250;
/** Dropped bytes of an endless line cost a small part of those that are read as messages. */
const DROPPED_SHARE = 32;
/** Calls that were given up and may still be answered; older ones are forgotten. */
const MAX_GIVEN_UP = 10_000;
/** So long a child may still work on a call that was given up, and ask because of it. */
const GIVEN_UP_MS = 300_000;
const MAX_OPEN_REQUESTS = 64;
/** What a child says to the one who is asked. */
const FOR_ASKED = "notifications/elicitation/complete";

/** JSON-RPC with a child, one message per line. Ids and progress tokens are the connection's own, so callers never meet. */
export class StdioConnection {
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #givenUp = new Map<number, GivenUpCall>();
  readonly #requests = new ServerRequests({
    ask: (request, signal) => this.#ask(request, signal),
    reply: (message) => this.#reply(message),
    maxOpen: MAX_OPEN_REQUESTS,
  });
  /** The log level that the child was sent last. */
  logLevel: string | undefined = undefined;
  readonly #unasked: Allowance;
  readonly #flooded = Promise.withResolvers<undefined>();
  #lastId = 0;
  #isOpen = true;
  #isFlooding = false;
  /** Resolves when no more answers can come. */
  readonly ended: Promise<ChildExit | undefined>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { child, maxLineBytes, now } = options;
    this.#unasked = new Allowance({ ...UNASKED, now });
    const ends = new LineEnds();
    const lines = new LineReader({
      maxBytes: maxLineBytes,
      onLine: (line) => this.#arrive(asBuffer(line)),
      onExcess: (piece) => ends.add(piece),
      onTooLong: (bytes) => this.#arriveTooLong(ends.takeId(), bytes),
    });
    // Whatever a child writes, at most the child is ended by it.
    const unreadable = Promise.withResolvers<undefined>();
    child.stdout.on("data", (piece: Buffer) => {
      if (this.#isFlooding) return;
      const { excessBytes } = lines;
      try {
        lines.push(piece);
      } catch (error) {
        options.onStray(`something that cannot be read: ${String(error)}`);
        unreadable.resolve(undefined);
      }
      this.#count(this.#unasked.take((lines.excessBytes - excessBytes) / DROPPED_SHARE));
    });
    const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve).once("end", resolve));
    const broken = new Promise<undefined>((resolve) => {
      child.stdin.once("error", () => resolve(undefined));
      void drained.then(() => resolve(undefined));
    });
    const exited = child.exited.then(async (exit) => {
      await Promise.race([drained, sleep(PIPE_DRAIN_MS)]);
      return exit;
    });
    this.ended = Promise.race([exited, broken, this.#flooded.promise, unreadable.promise]).then((exit) =>
      this.#end(exit),
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isFlooding(): boolean {
    return this.#isFlooding;
  }

  /** Ends the child if it has sent more than it may. */
  #count(isAllowed: boolean): void {
    if (isAllowed) return;
    this.#isFlooding = true;
    this.#flooded.resolve(undefined);
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a message, and waits for its answer. It never rejects. */
  exchange(outgoing: Outgoing): Promise<StdioEnding> {
    const { method, timeoutMs, signal } = outgoing;
    if (signal?.aborted === true) return Promise.resolve({ how: "aborted" });
    if (!this.#isOpen) return Promise.resolve({ how: "unsent", why: "closed" });
    const { stdin } = this.#options.child;
    if (stdin.writableLength > MAX_QUEUED_BYTES) return Promise.resolve({ how: "unsent", why: "full" });
    this.#lastId += 1;
    const id = this.#lastId;
    const { params, token } = replaceProgressToken(outgoing.params, `${this.#options.nonce}-${id}`);
    return new Promise<StdioEnding>((resolve) => {
      const giveUp = (how: "late" | "aborted"): void => {
        this.#giveUp(id, outgoing);
        end({ how });
      };
      const onAbort = (): void => giveUp("aborted");
      const onLate = (): void => giveUp("late");
      const questions = outgoing.onRequest === undefined ? undefined : new CallQuestions(outgoing.onRequest);
      const timer = questions === undefined ? setTimeout(onLate, timeoutMs) : undefined;
      const clock = questions === undefined ? undefined : new PausableTimer(timeoutMs, onLate, this.#options.now);
      if (questions !== undefined) questions.clock = clock;
      const end = (ended: StdioEnding): void => {
        clearTimeout(timer);
        clock?.clear();
        questions?.end();
        signal?.removeEventListener("abort", onAbort);
        this.#pending.delete(id);
        resolve(ended);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { outgoing, token, questions, end });
      stdin.write(encodeLine(id, method, params));
    });
  }

  /** Sends a notification; false if it cannot be sent. */
  notify(method: string, params: Buffer): boolean {
    const { stdin } = this.#options.child;
    if (!this.#isOpen || stdin.writableLength > MAX_QUEUED_BYTES) return false;
    stdin.write(encodeLine(undefined, method, params));
    return true;
  }

  /** Cancels the call that a caller made with this id, if there is one. */
  cancel(from: { readonly session: string; readonly id: string }): void {
    for (const [id, { outgoing, end }] of this.#pending) {
      if (outgoing.from?.session !== from.session || outgoing.from.id !== from.id) continue;
      this.#giveUp(id, outgoing);
      end({ how: "aborted" });
      return;
    }
  }

  #giveUp(id: number, { method, from }: Outgoing): void {
    this.#givenUp.set(id, { session: from?.session, atMs: this.#options.now() });
    if (this.#givenUp.size > MAX_GIVEN_UP) this.#givenUp.delete(this.#givenUp.keys().next().value ?? 0);
    // The protocol forbids to cancel the handshake.
    if (method !== "initialize") this.notify("notifications/cancelled", Buffer.from(`{"requestId":${id}}`));
  }

  #end(exit: ChildExit | undefined): ChildExit | undefined {
    this.#isOpen = false;
    this.#requests.end();
    for (const { end } of [...this.#pending.values()]) end({ how: "lost", exit });
    return exit;
  }

  /** Nothing that a child writes may end the process, whatever goes wrong while it is read. */
  #arrive(line: Buffer): void {
    try {
      this.#sort(line);
    } catch (error) {
      this.#options.onStray(`a message that cannot be read: ${String(error)}`);
    }
  }

  #sort(line: Buffer): void {
    const envelope = findEnvelope(line);
    if (envelope !== undefined && envelope.method === undefined) {
      this.#arriveResponse(line, envelope);
      return;
    }
    this.#count(this.#unasked.takeMessage(line.length));
    if (envelope?.method !== undefined) this.#arriveFromServer(line, envelope, envelope.method);
    else this.#options.onStray(`a line that is not a message: ${line.toString("utf8", 0, 500)}`);
  }

  #arriveResponse(body: Buffer, envelope: Envelope): void {
    const text = envelope.id === undefined ? "" : body.toString("latin1", envelope.id.start, envelope.id.end);
    const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    const pending = this.#pending.get(id);
    const isResponse = (envelope.result === undefined) !== (envelope.error === undefined);
    if (pending !== undefined && isResponse) {
      pending.end({ how: "answered", body, envelope });
      return;
    }
    // The answer to a call that was given up was asked for once.
    if (isResponse && this.#givenUp.delete(id)) return;
    this.#count(this.#unasked.takeMessage(body.length));
    if (id === 0 || id > this.#lastId || !isResponse) this.#options.onStray("a response to no message");
  }

  #arriveFromServer(message: Buffer, envelope: Envelope, methodSpan: Span): void {
    const method = textInSpan(message, methodSpan);
    if (method === undefined) {
      this.#options.onStray("a message whose method is not a text");
    } else if (envelope.id !== undefined) {
      this.#requests.take(message, envelope);
    } else if (method === "notifications/progress") {
      this.#arriveProgress(message);
    } else if (SUBSCRIBED.test(method) && this.#passToSubscriber(method, message)) {
      return;
    } else if (!this.#requests.withdraw(message) && !this.#passToNewest(method, message)) {
      this.#options.onNotification(method, message);
    }
  }

  /**
   * Passes on what belongs to a `subscriptions/listen` that is open, by the id that it carries. False if it belongs to
   * none, or concerns others as well: changed lists.
   */
  #passToSubscriber(method: string, message: Buffer): boolean {
    const meta = objectAt(objectAt(parseJson(message.toString("utf8")), "params"), "_meta");
    const id = memberAt(meta, SUBSCRIPTION_ID_KEY);
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending?.outgoing.method !== "subscriptions/listen") return false;
    pending.outgoing.onNotification?.(message);
    return !method.endsWith("/list_changed");
  }

  /** Passes on what is for one caller; false if its caller is not known. */
  #passToNewest(method: string, message: Buffer): boolean {
    if (method !== FOR_ASKED && !(method === "notifications/message" && this.#options.isOwned)) return false;
    const calls = this.#callsOfOne();
    if (typeof calls === "string") return false;
    calls.at(-1)?.outgoing.onNotification?.(message);
    return calls.length > 0;
  }

  /**
   * Requests name no call. If all calls of a child belong to one session, the request is for the newest call that can
   * be asked.
   */
  #ask(request: ServerRequest, signal: AbortSignal): ServerAnswer | Promise<ServerAnswer> {
    // The gateway did not announce roots to it: what it remembers of one caller's roots would serve another.
    if (!this.#options.isOwned && request.method === "roots/list") return refusedRequest(NO_SHARED_ROOTS);
    const calls = this.#callsOfOne();
    if (calls === "several") {
      this.#options.onUnclear();
      return refusedRequest("Calls of several sessions are under way, so it is not known who is asked.");
    }
    const questions = calls.findLast((call) => call.questions !== undefined)?.questions;
    return questions?.ask(request, signal) ?? refusedRequest("No call is under way whose caller could be asked.");
  }

  /**
   * The calls that the child works on, if they all belong to one session. Messages of the gateway itself do not count.
   */
  #callsOfOne(): readonly PendingCall[] | "several" {
    const calls = [...this.#pending.values()].filter(({ outgoing }) => outgoing.from !== undefined);
    const session = calls[0]?.outgoing.from?.session;
    if (calls.some(({ outgoing }) => outgoing.from?.session !== session)) return "several";
    if (this.#options.isOwned) return calls;
    // The child may not have noticed that a call was given up: what it asks because of it is not for another caller.
    const sinceMs = this.#options.now() - GIVEN_UP_MS;
    for (const [id, { session: other, atMs }] of this.#givenUp) {
      if (atMs < sinceMs) this.#givenUp.delete(id);
      else if (other !== undefined && other !== session) return "several";
    }
    return calls;
  }

  #reply(message: Buffer): void {
    const { stdin } = this.#options.child;
    if (!this.#isOpen) return;
    if (stdin.writableLength <= MAX_QUEUED_BYTES) stdin.write(Buffer.concat([onOneLine(message), LINE_END]));
    else this.#options.onStray("does not read: the answer to its request was dropped");
  }

  /** Progress belongs to the caller whose call has the token. */
  #arriveProgress(message: Buffer): void {
    const progress = readProgress(message);
    const prefix = `${this.#options.nonce}-`;
    if (typeof progress?.token !== "string" || !progress.token.startsWith(prefix)) return;
    const { outgoing, token } = this.#pending.get(Number(progress.token.slice(prefix.length))) ?? {};
    if (token !== undefined) outgoing?.onNotification?.(withSpans(message, [progress.span], token));
  }

  #arriveTooLong(id: number | undefined, bytes: number): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) this.#options.onStray(`a line of ${bytes} bytes`);
    else pending.end({ how: "too_large", bytes });
  }
}

/** Notifications that can belong to a subscription. */
const SUBSCRIBED =
  /^notifications\/(?:subscriptions\/acknowledged|resources\/updated|tasks(?:\/.*)?|.*\/list_changed)$/;

interface GivenUpCall {
  /** Undefined for messages of the gateway itself. */
  readonly session: string | undefined;
  readonly atMs: number;
}

const NO_SHARED_ROOTS = "A process that callers share cannot ask for roots.";
const LINE_END = Buffer.from("\n");

function textInSpan(bytes: Buffer, { start, end }: Span): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
