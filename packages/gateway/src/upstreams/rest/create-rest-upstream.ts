import { performance } from "node:perf_hooks";
import type { Bridge, CallResult } from "@recourse/bridge";
import { core, type Fault, protocol, tool as toolReasons } from "@recourse/faults";
import { ABORTED, CALL_KEY, type JsonObject, memberAt, objectAt, race } from "@recourse/faults/internal-do-not-use";
import type { Observer } from "../../telemetry/observer.ts";
import type { Era, Upstream, UpstreamReply, UpstreamRequest } from "../upstream.ts";
import { numberIssues, parseExactly } from "./exact-numbers.ts";
import { listTools, openApi, type RestConfig } from "./open-api.ts";

/** What an upstream with an OpenAPI document needs of the gateway. */
export interface RestUpstreamParts {
  /** @default 16 MiB */
  readonly maxAnswerBytes?: number;
  /** Where the operator reads why a document cannot be used. @default nowhere */
  readonly observer?: Pick<Observer, "log">;
  /** A monotonic clock, in ms. @default the clock of the process */
  readonly clock?: () => number;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** A document that could not be used is read again after this time, by the next message. */
const RETRY_MS = 5_000;

const ERA: Era = "2026-07-28";

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

  ready(signal: AbortSignal): Era | Fault | Promise<Era | Fault> {
    const api = this.#open();
    if (api instanceof Promise) {
      return race(api, { signal }).then((first) => {
        if (first === ABORTED) return core.cancelled.fault({}, { effect: "none" });
        return "tools" in first ? ERA : first;
      });
    }
    return "tools" in api ? ERA : api;
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const api = await this.#open();
    if (!("tools" in api)) return { kind: "failed", fault: api };
    switch (request.method) {
      case "tools/call":
        return this.#call(api, request);
      case "tools/list":
        return answer(request, listTools(api));
      case "ping":
        return answer(request, {});
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
    const outcome = await api.call(target, memberAt(value, "arguments"), { meta, caller: caller.id, signal });
    if (outcome.ok) return answer(request, outcome.result);
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

function answer({ id }: UpstreamRequest, result: object | CallResult): UpstreamReply {
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
