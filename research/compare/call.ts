// How a call is made in each way, and what the model and the program get of it.
import { type Fault, render } from "@recourse/core";
import { type ClientLike, recourse, type TransportObserver } from "@recourse/core/client";
import type { AnyClient } from "@recourse/test-kit/sdk-pairs";
import pRetry from "p-retry";
import type { FailureName } from "./failures.ts";
import type { Way } from "./way.ts";

/** What a caller gets of one call. */
export interface Answer {
  readonly model: string;
  readonly program: string;
}

/** Calls a tool. */
export type Call = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** How long a call may take that gets no answer. */
export const TIMEOUT_MS = 300;
/** The key of the payment that is sent twice. */
const PAYMENT_KEY = "payment-42";

/** What a call needs. */
export interface CallOptions {
  readonly failure: FailureName;
  readonly way: Way;
  readonly client: AnyClient;
  readonly observer: TransportObserver;
  /** Counts the records of the client kit. */
  readonly sink: () => void;
  /** Starts the server again, over stdio. */
  readonly reconnect?: () => Promise<AnyClient>;
}

/** How calls are made in one way. */
export function createCall(options: CallOptions): Call {
  const { failure, way } = options;
  if (way === "library") return createLibraryCall(options);
  const ask = createSdkCall(options);
  if (way !== "retry") return (tool, args) => readAnswer(ask(tool, args));
  // The waits are those of p-retry, 1 s and 2 s. A hundred failed calls would take five minutes with them.
  const retry = { retries: 2, ...(failure === "failing-server" && { minTimeout: 1 }) };
  return (tool, args) => readAnswer(pRetry(() => ask(tool, args), retry));
}

/** `callTool` of the official client. At a gateway, the tool has the prefix of its upstream. */
function createSdkCall({ failure, way, client }: CallOptions) {
  const timeout = failure === "no-answer" && way !== "gateway" ? TIMEOUT_MS : 60_000;
  const hasKey = failure === "same-payment" && way === "gateway";
  return (tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const name = way === "gateway" ? `shop__${tool}` : tool;
    const params = { name, arguments: args, ...(hasKey && { _meta: { "recourse/call": { key: PAYMENT_KEY } } }) };
    return way === "sdk-v1" ? client.callTool(params, undefined, { timeout }) : client.callTool(params, { timeout });
  };
}

function createLibraryCall({ failure, client, observer, sink, reconnect }: CallOptions): Call {
  const mcp = recourse<ClientLike>(client as never, {
    transport: observer,
    sink,
    server: { speaksFaults: true },
    ...(failure === "no-answer" && { timeoutMs: TIMEOUT_MS }),
    ...(reconnect !== undefined && { reconnect: reconnect as never }),
  });
  const options = failure === "same-payment" ? { idempotencyKey: PAYMENT_KEY } : {};
  return async (tool, args) => {
    const outcome = await mcp.call(tool, args, options);
    if (outcome.ok) return readAnswer(Promise.resolve(outcome.result));
    return { model: render(outcome.fault, { for: "model" }), program: describeFault(outcome.fault) };
  };
}

function describeFault({ kind, reason, effect }: Pick<Fault, "kind" | "reason" | "effect">): string {
  return `fault ${reason ?? kind}, effect ${effect}`;
}

/** What a host shows the model, and what its program has in hand. */
async function readAnswer(asked: Promise<unknown>): Promise<Answer> {
  try {
    const { content = [], isError, _meta } = (await asked) as ToolResult;
    const fault = _meta?.["recourse/fault"] as Fault | undefined;
    const failed = `result with isError${fault === undefined ? "" : `, ${describeFault(fault)}`}`;
    const model = content.map(({ text = "" }) => text).join("\n");
    return { model, program: isError === true ? failed : "result" };
  } catch (error) {
    const { name, message, code } = error as Error & { code?: unknown };
    return { model: message, program: `throws ${name}${code === undefined ? "" : `, code ${String(code)}`}` };
  }
}

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
