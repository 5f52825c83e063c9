import { performance } from "node:perf_hooks";
import { type Bridge, bearer, type CallResult, type Credential, openapi } from "@recourse/bridge";
import type { Fault, Issue } from "@recourse/core";
import { core, protocol, tool as toolReasons } from "@recourse/core/reasons";
import {
  ABORTED,
  CALL_KEY,
  isObject,
  type JsonObject,
  LATEST_REVISION,
  memberAt,
  objectAt,
  type Revision,
  race,
  toPointer,
} from "@recourse/core/wire";
import { type Ending, toSignal } from "../../call/ending.ts";
import type { Observer } from "../../call/observer.ts";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import type { UpstreamConfig, UpstreamCredential } from "../../config/types.ts";
import { proxyChoice } from "../connections.ts";
import type { UpstreamTokens } from "../credentials/upstream-tokens.ts";

export type RestConfig = Extract<UpstreamConfig, { kind: "openapi" }>;

export interface RestUpstreamParts {
  /** @default 16 MiB */
  readonly maxAnswerBytes?: number;
  /** Where the operator reads why a document cannot be used. @default nowhere */
  readonly observer?: Pick<Observer, "log">;
  /**
   * The tokens that the API is shown, if its credential is fetched. It closes them. @default its credential is sent as
   * it is
   */
  readonly tokens?: UpstreamTokens | undefined;
  /** A monotonic clock, in ms. @default the clock of the process */
  readonly clock?: () => number;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** A document that could not be used is read again after this time, by the next message. */
const RETRY_MS = 5_000;

/** A REST API as an upstream. Its document is read when the first message needs it. */
export function createRestUpstream(config: RestConfig, parts: RestUpstreamParts = {}): Upstream {
  return new RestUpstream(config, parts);
}

class RestUpstream implements Upstream {
  readonly options: RestConfig;
  readonly #parts: RestUpstreamParts;
  readonly #clock: () => number;
  #api: Bridge | undefined;
  #opening: Promise<Bridge | Fault> | undefined;
  #failed: { readonly fault: Fault; readonly atMs: number } | undefined;
  #isClosed = false;

  constructor(config: RestConfig, parts: RestUpstreamParts) {
    this.options = config;
    this.#parts = parts;
    this.#clock = parts.clock ?? (() => performance.now());
  }

  get about(): Upstream["about"] {
    return this.#api === undefined ? undefined : { capabilities: { tools: {} }, instructions: undefined };
  }

  ready(signal: Ending): Revision | Fault | Promise<Revision | Fault> {
    const api = this.#open();
    if (api instanceof Promise) {
      return race(api, { signal: toSignal(signal) }).then((first) => {
        if (first === ABORTED) return core.cancelled.fault({}, { effect: "none" });
        return "tools" in first ? LATEST_REVISION : first;
      });
    }
    return "tools" in api ? LATEST_REVISION : api;
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const api = await this.#open();
    if (!("tools" in api)) return { kind: "failed", fault: api };
    switch (request.method) {
      case "tools/call":
        return this.#call(api, request);
      case "tools/list":
        return restReply(request, listRestTools(api));
      case "ping":
        return restReply(request, {});
      default: {
        const { method } = request;
        return { kind: "failed", fault: protocol.method_not_found.fault({ method }) };
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await this.#api?.close();
    await this.#parts.tokens?.close();
  }

  /** The numbers of arguments reach the API as they were written, or the call is refused. */
  async #call(api: Bridge, request: UpstreamRequest): Promise<UpstreamReply> {
    const { target = "", params, caller, signal, timeoutMs } = request;
    const { value, changed } = parseExactly(params.toString());
    const inArguments = changed.filter((pointer) => pointer.startsWith("/arguments/"));
    if (inArguments.length > 0) {
      const issues = numberIssues(inArguments.map((pointer) => pointer.slice("/arguments".length)));
      return { kind: "failed", fault: toolReasons.invalid_arguments.fault({ tool: target }, { issues }) };
    }
    const meta = withDeadline(objectAt(value, "_meta"), timeoutMs);
    const { tokens } = this.#parts;
    const credential =
      tokens && fetchedCredential(tokens, { request, untilMs: this.#clock() + timeoutMs, now: this.#clock });
    const options = { meta, caller: caller.id, signal: toSignal(signal), credential };
    const outcome = await api.call(target, memberAt(value, "arguments"), options);
    if (outcome.ok) return restReply(request, outcome.result);
    return { kind: "failed", fault: outcome.fault, cause: outcome.cause };
  }

  #open(): Bridge | Fault | Promise<Bridge | Fault> {
    if (this.#api !== undefined) return this.#api;
    if (this.#failed !== undefined && this.#clock() - this.#failed.atMs < RETRY_MS) return this.#failed.fault;
    this.#opening ??= this.#read().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #read(): Promise<Bridge | Fault> {
    const { options } = this;
    const { observer, maxAnswerBytes = MAX_ANSWER_BYTES } = this.#parts;
    try {
      const api = await openApi(options, maxAnswerBytes);
      if (this.#isClosed) await api.close();
      this.#api = api;
      return api;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      observer?.log("error", `the API of the upstream ${options.name} cannot be used`, {
        document: withoutUser(options.document),
        why,
      });
      const origin = { layer: "upstream", name: options.name } as const;
      const fault = core.misconfigured.fault({}, { effect: "none", origin });
      this.#failed = { fault, atMs: this.#clock() };
      return fault;
    }
  }
}

function restReply({ id }: UpstreamRequest, result: object | CallResult): UpstreamReply {
  const written = JSON.stringify({ resultType: "complete", ...result });
  const body = Buffer.from(id === undefined ? "" : `{"jsonrpc":"2.0","id":${id},"result":${written}}`);
  return { kind: "answer", status: id === undefined ? 202 : 200, header: () => undefined, body };
}

/** An address without the name and the password in it. */
function withoutUser(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  if (url === null || (url.username === "" && url.password === "")) return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The deadline of the call is what the gateway waits for. */
function withDeadline(meta: JsonObject | undefined, timeoutMs: number): JsonObject {
  const call = objectAt(meta, CALL_KEY);
  return { ...meta, [CALL_KEY]: { ...call, deadlineMs: timeoutMs } };
}

/** The header that keys are sent in if the document names none. */
const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** Makes tools of the document. Rejects if the document or the configuration cannot be used. */
async function openApi(config: RestConfig, maxAnswerBytes: number): Promise<Bridge> {
  const { document, server, allowPrivate, credential, foreignText, speaksFaults, name, timeoutMs, honoursKeys } =
    config;
  const own = restCredential(credential);
  const api = await openapi(document, {
    name,
    speaksFaults,
    ...(foreignText !== undefined && { foreignText }),
    ...(server !== undefined && { server }),
    ...(own !== undefined && { credential: own }),
    // The gateway reports failures itself.
    sink: () => {},
    // The operator has chosen the host, here or in the document, and redirects are not followed. The server behind a
    // public name must not lead the gateway into its own network.
    network: {
      allowPrivate: allowPrivate ?? "from-start",
      deadlineMs: timeoutMs,
      headersTimeoutMs: timeoutMs,
      maxResponseBytes: maxAnswerBytes,
      proxy: proxyChoice(config),
      ca: config.tls?.ca,
    },
  });
  for (const { name: tool, annotations, operation } of honoursKeys ? api.tools : []) {
    if (annotations.readOnlyHint !== true && operation.idempotencyHeader === undefined)
      api.operation(tool, { idempotencyHeader: IDEMPOTENCY_HEADER });
  }
  return api;
}

function listRestTools({ tools }: Bridge): object {
  return {
    tools: tools.map(({ name, description, inputSchema, annotations, declares }) => ({
      name,
      description,
      inputSchema,
      annotations,
      _meta: declares,
    })),
  };
}

/** The credential of an upstream for its API; undefined if it needs none. */
function restCredential(credential: UpstreamCredential): Credential | undefined {
  switch (credential.kind) {
    case "none":
      return undefined;
    case "bearer":
      return bearer(credential.token);
    case "header":
      return inHeader(credential);
    case "clientCredentials":
    case "exchange":
      return FETCHED_LATER;
    default:
      return credential satisfies never;
  }
}

/** Sent in the places of a bearer token. */
const { fits } = bearer("a-token");

/** Stands for a token until a call brings its own. */
const FETCHED_LATER: Credential = {
  owner: "own",
  secrets: [],
  fits,
  apply: async () => ({ ok: false, fault: core.misconfigured.fault({}, { effect: "none" }) }),
};

interface FetchFacts {
  readonly request: Pick<UpstreamRequest, "caller" | "subjectToken" | "onCredential">;
  readonly untilMs: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** The token of one call as a credential of the bridge, which asks for another one if the API refuses it. */
function fetchedCredential(tokens: UpstreamTokens, { request, untilMs, now }: FetchFacts): Credential {
  return {
    owner: "own",
    secrets: [],
    fits,
    async apply(_, { signal }) {
      const found = await tokens.find(request, { timeoutMs: Math.max(0, untilMs - now()), signal });
      if ("fault" in found) return { ok: false, ...found };
      const [name, value] = found.token.header;
      request.onCredential?.(found.token.value);
      return { ok: true, parts: { headers: { [name]: value } }, secrets: [found.token.value], renew: found.refuse };
    },
  };
}

/** The operator names the header, so it is sent whatever schemes the document declares. */
function inHeader({ name, value }: { readonly name: string; readonly value: string }): Credential {
  const headers = { [name.toLowerCase()]: value };
  return {
    owner: "own",
    secrets: [value],
    fits: () => true,
    apply: async () => ({ ok: true, parts: { headers }, secrets: [] }),
  };
}

/** Texts without such a sequence have only numbers that a parser keeps. */
const MAY_LOSE_DIGITS = /[\d.]{16}|[eE][+-]?\d{3}/;

/** Stands for a number that a parser would change. */
const CHANGED = Symbol("changed");

/** The value of a JSON text, and the arguments whose numbers a parser would change: too long, too large or too small. */
interface ExactJson {
  readonly value: unknown;
  readonly changed: readonly string[];
}

/** Parses JSON, and finds the numbers that are not kept as they were written. */
export function parseExactly(text: string): ExactJson {
  if (!MAY_LOSE_DIGITS.test(text)) return { value: JSON.parse(text), changed: [] };
  let isChanged = false;
  const mark = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value !== "number" || isExact(value, context?.source ?? "")) return value;
    isChanged = true;
    return CHANGED;
  };
  const marked: unknown = JSON.parse(text, mark as (key: string, value: unknown) => unknown);
  if (!isChanged) return { value: marked, changed: [] };
  return { value: JSON.parse(text), changed: findChanged(marked, []).map(toPointer) };
}

/** What is wrong with such numbers, for the caller. */
function numberIssues(pointers: readonly string[]): readonly Issue[] {
  const expected = "a number of at most 15 digits, or a string where the tool takes one";
  return pointers.map((pointer) => ({ pointer, rule: "range", expected }));
}

function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source);
}

/** Digits and exponent of a number without the zeros that mean nothing, so that two spellings can be compared. */
function significantDigits(number: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const bare = digits.replace(/0+$/, "");
  return bare === "" ? "0" : `${bare}e${Number(exponent) - fraction.length + digits.length - bare.length}`;
}

function findChanged(value: unknown, path: readonly string[]): string[][] {
  if (value === CHANGED) return [[...path]];
  if (Array.isArray(value)) return value.flatMap((item, at) => findChanged(item, [...path, String(at)]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => findChanged(item, [...path, key])) : [];
}
