import { isObject, memberAt, parseJson } from "@recourse/core/wire";
import { type Span, skipSpace, valuesOf } from "../call/json-bytes.ts";
import {
  malformedRequest,
  refusedRequest,
  type ServerAnswer,
  type ServerRequest,
  unansweredRequest,
} from "../call/server-request.ts";
import type { Envelope } from "./message.ts";

export interface ServerRequestsOptions {
  /** Asks the caller that a request is meant for. The signal is aborted when the answer is no longer needed. */
  readonly ask: (request: ServerRequest, signal: AbortSignal) => ServerAnswer | Promise<ServerAnswer>;
  /** Sends an answer back: a whole JSON-RPC message. It never rejects. */
  readonly reply: (message: Buffer) => void | Promise<void>;
  readonly maxOpen: number;
}

export const MAX_QUESTION_BYTES = 1_048_576;
/** Ids are sent back as they came, so they are not of any length. */
const MAX_ID_BYTES = 1_024;
/** Answers that are under way at one time. A server that asks faster than it reads is not answered. */
const MAX_REPLYING = 64;

export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  /** By the value of the id. */
  readonly #open = new Map<string, AbortController>();
  #replying = 0;
  #isOver = false;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /** Takes a message that has a method and an id. What cannot be answered is dropped. */
  take(message: Buffer, envelope: Envelope): void {
    if (this.#isOver || this.#replying >= MAX_REPLYING || envelope.id === undefined) return;
    const id = readServerRequestId(message, envelope.id);
    if (id === undefined) return;
    const read = this.#read(message, envelope, id);
    if ("method" in read) void this.#ask(id, read);
    else void this.#reply(id, read);
  }

  /** What is asked, or the answer to what is not passed on. */
  #read(message: Buffer, { method: span }: Envelope, { key }: ServerRequestId): ServerRequest | ServerAnswer {
    const method = span === undefined ? undefined : parseJson(message.toString("utf8", span.start, span.end));
    if (method === "ping") return PONG;
    if (typeof method !== "string") return malformedRequest("The method is not a text.");
    if (this.#open.has(key)) return malformedRequest("A request with this id is open.");
    if (this.#open.size >= this.#options.maxOpen) return refusedRequest("Too many requests are open at one time.");
    if (message.length > MAX_QUESTION_BYTES) return malformedRequest(TOO_LONG_REQUEST);
    const params = readParams(message);
    return params === "malformed" ? malformedRequest("The params cannot be read.") : { method, params };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes a notification; true if it withdraws a request that is open, so that it needs no other handling. */
  withdraw(notification: Buffer): boolean {
    if (this.#open.size === 0 || !notification.includes("notifications/cancelled")) return false;
    const message = parseJson(notification.toString());
    if (memberAt(message, "method") !== "notifications/cancelled") return false;
    const key = idKey(memberAt(memberAt(message, "params"), "requestId"));
    const controller = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || controller === undefined) return false;
    this.#open.delete(key);
    controller.abort();
    return true;
  }

  /** The stream is over: nothing can be answered any more. */
  end(): void {
    this.#isOver = true;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const controller of open) controller.abort();
  }

  async #ask(id: ServerRequestId, request: ServerRequest): Promise<void> {
    const { key } = id;
    const controller = new AbortController();
    this.#open.set(key, controller);
    let answer: ServerAnswer;
    try {
      answer = await this.#options.ask(request, controller.signal);
    } catch {
      answer = unansweredRequest("The request could not be passed on.");
    }
    // It was withdrawn, and another one may have its id by now.
    if (this.#open.get(key) !== controller) return;
    this.#open.delete(key);
    await this.#reply(id, answer);
  }

  async #reply({ text }: ServerRequestId, answer: ServerAnswer): Promise<void> {
    this.#replying += 1;
    await this.#options.reply(encodeAnswer(text, answer));
    this.#replying -= 1;
  }
}

const PONG: ServerAnswer = { result: Buffer.from("{}") };
const TOO_LONG_REQUEST = `The request is longer than ${MAX_QUESTION_BYTES} bytes.`;

interface ServerRequestId {
  readonly text: string;
  readonly key: string;
}

function readServerRequestId(message: Buffer, { start, end }: Span): ServerRequestId | undefined {
  if (end - start > MAX_ID_BYTES) return undefined;
  const text = message.toString("utf8", start, end);
  const key = idKey(parseJson(text));
  return key === undefined ? undefined : { text, key };
}

function idKey(id: unknown): string | undefined {
  return typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
}

/** The params as they came; "malformed" if they are not an object, or two parsers could read two. */
function readParams(message: Buffer): Buffer | "malformed" | undefined {
  const [span, ...more] = valuesOf(message, skipSpace(message, 0), "params");
  if (more.length > 0) return "malformed";
  if (span === undefined) return undefined;
  const params = message.subarray(span.start, span.end);
  return isObject(parseJson(params.toString(), MAX_QUESTION_BYTES)) ? params : "malformed";
}

/** The JSON-RPC response with an answer. The id is JSON. */
function encodeAnswer(id: string, answer: ServerAnswer): Buffer {
  const [name, value] = "result" in answer ? ["result", answer.result] : ["error", answer.error];
  return Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${id},"${name}":`), value, CLOSE_BRACE]);
}

const CLOSE_BRACE = Buffer.from("}");
