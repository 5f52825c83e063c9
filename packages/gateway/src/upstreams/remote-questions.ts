import { ABORTED, type JsonObject, race, sleep, stringAt, TIMED_OUT } from "@recourse/core/wire";
import type { ServerAnswer, ServerRequest } from "../call/server-request.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import type { CallQuestions } from "./call-questions.ts";

export interface RemoteQuestionsOptions {
  /** How long another replica with such a call is looked for, in ms. @default 500 */
  readonly seekMs?: number;
  /** How long to wait for an answer at most, in ms: longer than the wait for a caller. @default 3_600_000 */
  readonly answerMs?: number;
  /** How many are looked for at one time: each is a message to all replicas. @default 256 */
  readonly maxSeeks?: number;
  /** How many requests of other replicas are asked here at one time. @default 4_096 */
  readonly maxOpen?: number;
}

/**
 * Requests of upstreams that arrive at one replica while the call they are about is under way at another: the stream of a
 * session can be open only once, but its calls come to any replica.
 */
export class RemoteQuestions {
  readonly #bus: ReplicaBus;
  readonly #options: Required<RemoteQuestionsOptions>;
  /** More than one if a changed configuration has opened an upstream again. */
  readonly #served = new Map<string, Set<() => CallQuestions | undefined>>();
  readonly #seeks = new Map<string, (replica: string) => void>();
  /** What is asked here for others. */
  readonly #open = new Map<string, AbortController>();
  #last = 0;

  constructor(bus: ReplicaBus, options: RemoteQuestionsOptions = {}) {
    this.#bus = bus;
    this.#options = { seekMs: 500, answerMs: 3_600_000, maxSeeks: 256, maxOpen: 4_096, ...options };
    bus.on("question.seek", (body, from) => this.#onSeek(body, from));
    bus.on("question.have", (body, from) => {
      this.#seeks.get(stringAt(body, "seek") ?? "")?.(from);
      return undefined;
    });
    bus.on("question.ask", (body, from) => this.#onAsk(body, from));
    bus.on("question.withdraw", (body, from) => {
      this.#open.get(askKey(from, body))?.abort();
      return undefined;
    });
  }

  /** Lets other replicas find a call of a session. Returns what ends it. */
  serve(address: string, find: () => CallQuestions | undefined): () => void {
    const finders = this.#served.get(address) ?? new Set();
    finders.add(find);
    this.#served.set(address, finders);
    return () => {
      finders.delete(find);
      if (finders.size === 0 && this.#served.get(address) === finders) this.#served.delete(address);
    };
  }

  /** Asks the call of a session wherever it is under way; undefined if no replica has one. It never rejects. */
  async ask(address: string, request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer | undefined> {
    const here = this.#find(address);
    if (here !== undefined) return here.ask(request, signal);
    const replica = await this.#seek(address, signal);
    if (replica === undefined) return undefined;
    this.#last += 1;
    const id = String(this.#last);
    const withdraw = (): void => this.#bus.send(replica, "question.withdraw", { ask: id });
    signal.addEventListener("abort", withdraw, { once: true });
    const body = { address, ask: id, method: request.method, params: request.params?.toString() };
    const answer = await this.#bus.ask(replica, "question.ask", body, { timeoutMs: this.#options.answerMs, signal });
    signal.removeEventListener("abort", withdraw);
    const [result, error] = [stringAt(answer, "result"), stringAt(answer, "error")];
    if (result !== undefined) return { result: Buffer.from(result) };
    return error === undefined ? undefined : { error: Buffer.from(error) };
  }

  async #seek(address: string, signal: AbortSignal): Promise<string | undefined> {
    const { maxSeeks, seekMs } = this.#options;
    if (this.#seeks.size >= maxSeeks) return undefined;
    this.#last += 1;
    const seek = String(this.#last);
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#seeks.set(seek, resolve);
    this.#bus.broadcast("question.seek", { address, seek });
    const found = await race(promise, { ms: seekMs, sleep, signal });
    this.#seeks.delete(seek);
    return found === TIMED_OUT || found === ABORTED ? undefined : found;
  }

  #onSeek(body: JsonObject, from: string): undefined {
    if (this.#find(stringAt(body, "address")) !== undefined)
      this.#bus.send(from, "question.have", { seek: stringAt(body, "seek") });
  }

  async #onAsk(body: JsonObject, from: string): Promise<JsonObject | undefined> {
    const questions = this.#find(stringAt(body, "address"));
    const method = stringAt(body, "method");
    const params = stringAt(body, "params");
    const key = askKey(from, body);
    if (questions === undefined || method === undefined) return undefined;
    if (this.#open.size >= this.#options.maxOpen || this.#open.has(key)) return undefined;
    const controller = new AbortController();
    this.#open.set(key, controller);
    const request = { method, params: params === undefined ? undefined : Buffer.from(params) };
    const answer = await questions.ask(request, controller.signal);
    this.#open.delete(key);
    return "result" in answer ? { result: answer.result.toString() } : { error: answer.error.toString() };
  }

  #find(address: string | undefined): CallQuestions | undefined {
    for (const find of this.#served.get(address ?? "") ?? []) {
      const found = find();
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function askKey(replica: string, body: JsonObject): string {
  return `${replica}\n${stringAt(body, "ask") ?? ""}`;
}
