// Recordings made by hand, for tests of checks. Everything that a test does not name is a healthy server.

import type { JsonObject } from "@recourse/core/wire";
import { PROBE_CHECKS } from "../../src/checks/catalogue.ts";
import type { CheckResult, EraView } from "../../src/checks/check.ts";
import {
  type EraRecord,
  RECORDING_FORMAT,
  type RecordedAnswer,
  type RecordedExchange,
  type RecordedTarget,
  type Recording,
  type StimulusName,
} from "../../src/recording/recording.ts";

/** What the probe plants in these recordings. */
export const PLANTED = {
  canary: "recourse-canary-5f3a9c",
  canaryName: "RECOURSE_PROBE_CANARY",
  bait: "sk-probe-7Hq2mZx81LkP",
};

/** Options of `viewOf`. */
interface ViewOptions extends Partial<Omit<EraRecord, "exchanges">> {
  readonly target?: Partial<RecordedTarget>;
}

/** One era with these exchanges: over stdio, and 2025-11-25 unless it says otherwise. */
export function viewOf(exchanges: readonly RecordedExchange[], { target, ...era }: ViewOptions = {}): EraView {
  const record: EraRecord = {
    revision: "2025-11-25",
    negotiated: era.revision ?? "2025-11-25",
    server: { name: "shop", version: "1.0.0" },
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    called: [],
    spared: [],
    strayLines: [],
    stderr: "",
    ...era,
    exchanges,
  };
  const recording: Recording = {
    format: RECORDING_FORMAT,
    version: "0.1.0",
    startedAt: "2026-11-16T00:00:00.000Z",
    durationMs: 1000,
    target: { transport: "stdio", loopback: true, credentials: false, planted: PLANTED, ...target },
    eras: [record],
    unspoken: [],
  };
  return { recording, era: record };
}

/** Over HTTP instead of stdio. */
export const OVER_HTTP: Partial<RecordedTarget> = { transport: "http", url: "http://127.0.0.1:8080/mcp" };

/** What an exchange of a test may say beside its stimulus and its answer. */
interface ExchangeOptions extends Partial<Pick<RecordedExchange, "variant" | "tool" | "id">> {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly wrong?: RecordedExchange["sent"]["wrong"];
  readonly http?: RecordedExchange["sent"]["http"];
  /** In place of a message. */
  readonly text?: string;
}

/** One exchange. Its id is the stimulus, the variant and the tool, unless it is given. */
export function exchangeOf(
  stimulus: StimulusName,
  answer: RecordedAnswer,
  options: ExchangeOptions = {},
): RecordedExchange {
  const { variant, tool, method = "tools/call", params = {}, wrong, http, text } = options;
  const message = { jsonrpc: "2.0", id: 7, method, params };
  const written = text ?? JSON.stringify(message);
  return {
    id: options.id ?? [stimulus, variant, tool].filter((part) => part !== undefined).join("/"),
    stimulus,
    ...(variant !== undefined && { variant }),
    ...(tool !== undefined && { tool }),
    sent: {
      ...(text === undefined && { message }),
      text: written,
      bytes: written.length,
      ...(wrong !== undefined && { wrong }),
      ...(http !== undefined && { http }),
    },
    answer,
  };
}

/** A JSON-RPC answer. With a status it came over HTTP. */
export function messageAnswer(message: JsonObject, status?: number): RecordedAnswer {
  const text = JSON.stringify(message);
  const http = status === undefined ? {} : { http: httpPart(status, "application/json") };
  return { kind: "message", message, text, bytes: text.length, ms: 3, ...http };
}

/** A JSON-RPC error. */
export function rpcError(
  code: unknown,
  message: unknown,
  { data, status }: { data?: unknown; status?: number } = {},
): RecordedAnswer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return messageAnswer({ jsonrpc: "2.0", id: 7, error }, status);
}

/** A JSON-RPC result. */
export function rpcResult(result: JsonObject, status?: number): RecordedAnswer {
  return messageAnswer({ jsonrpc: "2.0", id: 7, result }, status);
}

/** A failed tool with this text. */
export function toolFailure(text: string, more: JsonObject = {}): RecordedAnswer {
  return rpcResult({ content: [{ type: "text", text }], isError: true, ...more });
}

/** A tool that succeeded with this text. */
export function toolSuccess(text: string, more: JsonObject = {}): RecordedAnswer {
  return rpcResult({ content: [{ type: "text", text }], ...more });
}

/** An HTTP answer without JSON-RPC. */
export function bodyAnswer(status: number, text: string, type = "text/html"): RecordedAnswer {
  return { kind: "body", text, bytes: text.length, ms: 3, http: httpPart(status, type) };
}

/** Nothing came. */
export function silence(strays: readonly JsonObject[] = []): RecordedAnswer {
  return { kind: "silent", ms: 8000, strays };
}

function httpPart(status: number, type: string) {
  return { status, headers: { "content-type": type }, streamed: false };
}

// Runs one check on a recording made by hand.
/** One case: what was sent and answered, and what is said about it. */
export interface CheckCase {
  readonly about: string;
  readonly exchanges: readonly RecordedExchange[];
  readonly view?: Parameters<typeof viewOf>[1];
  /** `pass`, `skipped`, or what the sentence of the finding contains. */
  readonly says: string;
}

/** What a check says about a case: its state, or the sentence of its finding. */
export function saysOf(id: string, { exchanges, view = {} }: CheckCase): string {
  const check = PROBE_CHECKS.find((one) => one.id === id);
  if (check === undefined) throw new Error(`There is no check "${id}".`);
  return textOf(check.run(viewOf(exchanges, view)));
}

function textOf(result: CheckResult): string {
  return result.state === "fail" ? result.message : result.state;
}
