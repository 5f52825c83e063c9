import type { Fault } from "../fault/fault.ts";
import type { AttemptInfo, LoopGuard } from "../retry/index.ts";
import { CALL_KEY } from "./extension.ts";
import type { CallOptions } from "./options.ts";
import type { Failed, InputRequired, Outcome, Succeeded } from "./outcome.ts";
import type { Peer } from "./peer.ts";
import { readEnding } from "./read/ending.ts";
import { looksFailed } from "./read/looks-failed.ts";
import { type Failure, release } from "./release.ts";
import { type Ending, type Sending, send } from "./send.ts";
import type { Request, Shared } from "./shared.ts";
import type { ClientLike } from "./types.ts";
import type { Seen } from "./watch/watched.ts";

/** One call, from its first attempt to its outcome. */
export class OneCall<C extends ClientLike> {
  readonly #shared: Shared<C>;
  readonly #request: Request;
  readonly #options: CallOptions;
  readonly #id: string;
  readonly #key: string | undefined;
  readonly #startedMs: number;
  /** Attempts that were sent, and whether each of them carried the key. */
  #attempts = 0;
  #keyed = true;
  #last: Failure | undefined;

  constructor(shared: Shared<C>, request: Request, options: CallOptions) {
    this.#shared = shared;
    this.#request = request;
    this.#options = options;
    this.#startedMs = shared.clock();
    this.#id = shared.mint();
    this.#key = options.key ?? (shared.options.keys === "mint" ? shared.mint() : undefined);
  }

  /** Makes the call; never rejects. */
  async run<T>(guard: LoopGuard): Promise<Outcome<T>> {
    const { engine, deadlineMs, options } = this.#shared;
    const call = {
      tool: this.#request.name,
      repeatable: () => this.#repeatable(),
      deadlineMs: this.#options.deadlineMs ?? deadlineMs,
      signal: this.#options.signal,
      renew: options.renew,
      onDecision: options.onDecision,
      guard,
    };
    const outcome = await engine.run<Succeeded<T> | InputRequired>(call, (info) => this.#attempt<T>(info));
    if (outcome.ok === false) return this.#failed(outcome.fault);
    if (outcome.ok !== true || this.#attempts < 2) return outcome;
    return { ...outcome, tried: { attempts: this.#attempts, elapsedMs: this.#elapsedMs() } };
  }

  async #attempt<T>(info: AttemptInfo): Promise<Succeeded<T> | InputRequired | Failed> {
    const { connection, options, clock } = this.#shared;
    const startedMs = clock();
    const peer = connection.ready() ?? (await connection.restored(info.leftMs, info.signal));
    if ("kind" in peer) return { ok: false, fault: peer };
    // Another server may have taken over since the rules were asked, one that does not honour the key.
    const before = this.#last?.fault;
    if (before !== undefined && before.effect !== "none" && !this.#repeatable()) return { ok: false, fault: before };
    const leftMs = info.leftMs - (clock() - startedMs);
    const limitMs = Math.max(0, Math.min(leftMs, this.#options.attemptMs ?? options.attemptMs ?? leftMs));
    this.#attempts += 1;
    const ref = { id: this.#id, attempt: this.#attempts };
    const ending = await send({
      peer,
      method: this.#request.method,
      params: this.#params(peer, limitMs),
      ref,
      limitMs,
      signal: info.signal,
      watched: options.watched,
      more: this.#more(),
    });
    const seen = options.watched?.take(ref);
    if (ending.how === "answered") connection.worked(peer);
    if (ending.how === "answered" && !looksFailed(ending.result)) return success<T>(ending.result);
    const fault = this.#read(ending, ending.how === "lost" ? ending.seen : seen, { peer, limitMs });
    if (fault !== undefined) return { ok: false, fault };
    return success<T>(ending.how === "answered" ? ending.result : undefined);
  }

  #more(): Sending["more"] {
    const { onProgress } = this.#options;
    const asks = this.#shared.options.inputRequired === "return";
    // The SDK would hold a question against the form that the tool promises for its results.
    const definition = asks ? this.#shared.hints.withoutOutput(this.#request.name) : undefined;
    return {
      ...(onProgress !== undefined && { onprogress: onProgress }),
      ...(asks && { allowInputRequired: true }),
      ...(definition !== undefined && { toolDefinition: definition }),
    };
  }

  #params(peer: Peer<C>, limitMs: number): object {
    const key = this.#key !== undefined && peer.honoursKeys() ? this.#key : undefined;
    this.#keyed &&= key !== undefined;
    const call = {
      id: this.#id,
      attempt: this.#attempts,
      ...(limitMs !== Number.POSITIVE_INFINITY && { deadlineMs: Math.floor(limitMs) }),
      ...(key !== undefined && { key }),
    };
    const { meta, input } = this.#options;
    return { ...this.#request.params, ...input, _meta: { ...meta, [CALL_KEY]: call } };
  }

  #read(ending: Ending, seen: Seen | undefined, sent: { peer: Peer<C>; limitMs: number }): Fault | undefined {
    const { options, connection, now } = this.#shared;
    const { method, name } = this.#request;
    const fault = readEnding(ending, {
      method,
      tool: method === "tools/call" ? name : undefined,
      secrets: options.secrets,
      allow: options.allow,
      dialect: options.dialect,
      now: now(),
      session: sent.peer.hasSession(),
      connection: options.watched?.connection(),
      seen,
      limitMs: sent.limitMs,
    });
    if (fault === undefined) return undefined;
    // What a server answers is about the call, whatever it names; only what broke is about the connection.
    if (ending.how !== "answered") connection.failed(sent.peer, fault);
    this.#last = { fault, ending, seen };
    return fault;
  }

  /** The caller's word counts first, then a key that the server honours, then what a trusted server says. */
  #repeatable(): boolean {
    const { options, hints, connection } = this.#shared;
    if (this.#options.repeatable !== undefined) return this.#options.repeatable;
    if (this.#key !== undefined && this.#keyed && connection.peer.honoursKeys()) return true;
    // The protocol's other methods only read: a server that changes something on `read` or `get` breaks its contract.
    if (this.#request.method !== "tools/call") return true;
    return options.trusted === true && hints.sayRepeatable(this.#request.name);
  }

  #failed(fault: Fault): Failed {
    const { options, now, mint } = this.#shared;
    const facts = { request: this.#request, attempts: this.#attempts, durationMs: this.#elapsedMs(), last: this.#last };
    const out = release(fault, facts, { options, now, mint });
    if (this.#options.key === undefined || this.#attempts === 0) return { ok: false, fault: out };
    return { ok: false, fault: out, key: this.#keyed ? "sent" : "ignored" };
  }

  #elapsedMs(): number {
    return Math.round(this.#shared.clock() - this.#startedMs);
  }
}

/** The result as an outcome; the one that asks for input is told by its type. */
function success<T>(result: unknown): Succeeded<T> | InputRequired {
  const type = (result as { readonly resultType?: unknown } | null | undefined)?.resultType;
  return type === "input_required" ? { ok: "input_required", result } : { ok: true, result: result as T };
}
