// Callers that call without pause, and their answers.
import { postCall } from "./observers.ts";

export interface Answered {
  readonly tool: string;
  /** When the call was made. */
  readonly beganMs: number;
  readonly status: number;
  readonly text: string;
}

const GTIN = "09520123456788";
const CALLS: readonly { readonly tool: string; readonly ask: (url: string) => Promise<Response> }[] = [
  { tool: "ping", ask: (url) => fetch(`${url}/v1/ping`) },
  { tool: "ping", ask: (url) => postCall(new URL("/mcp", url), { tool: "ping" }) },
  { tool: "validate_gtin", ask: (url) => fetch(`${url}/v1/gtin/${GTIN}/validate`) },
  {
    tool: "validate_gtin",
    ask: (url) => postCall(new URL("/mcp", url), { tool: "validate_gtin", args: { gtin: GTIN } }),
  },
  { tool: "resolve_gtin", ask: (url) => fetch(`${url}/v1/gtin/${GTIN}/resolve`) },
  {
    tool: "lookup_product",
    ask: (url) => postCall(new URL("/mcp", url), { tool: "lookup_product", args: { gtin: GTIN } }),
  },
  {
    tool: "resolve_gtin",
    ask: (url) => postCall(new URL("/mcp?dialect=mcp", url), { tool: "resolve_gtin", args: { gtin: GTIN } }),
  },
];

/** Calls all tools in turns until `stop`; `answers` grows meanwhile. */
export function load(url: string, callers: number): { readonly answers: Answered[]; stop(): Promise<void> } {
  const answers: Answered[] = [];
  let isOver = false;
  const caller = async (first: number) => {
    for (let at = first; !isOver; at++) {
      const call = CALLS[at % CALLS.length];
      if (call === undefined) return;
      const beganMs = performance.now();
      const response = await call.ask(url);
      answers.push({ tool: call.tool, beganMs, status: response.status, text: await response.text() });
    }
  };
  const all = Array.from({ length: callers }, (_, first) => caller(first));
  return {
    answers,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}
