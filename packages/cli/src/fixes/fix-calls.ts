// What the code of a fix changes: which calls it comes down to, and which answers those reach.

import type { Fix } from "../checks/check.ts";
import { isToolFailure } from "../checks/exchanges.ts";
import type { RecordedExchange, RecordedTarget, StimulusName } from "../recording/recording.ts";

/**
 * Where an answer was made: by the server and its tools, or before a message reached them. A tool that answered what should have
 * been refused before is `both`: either layer can change the answer.
 */
export type AnswerLayer = "server" | "edge" | "both";

type Transport = RecordedTarget["transport"];

/** Groups of stimuli that are answered before a message reaches the server, or not at all. */
const EDGE_STIMULI: Readonly<Record<Transport, ReadonlySet<StimulusName>>> = {
  stdio: new Set(["malformed-message", "long-message"]),
  http: new Set(["malformed-message", "deep-json", "long-message", "http-edge", "credentials", "unknown-version"]),
};

/** Whether an answer comes from the server, or from what stands before it. */
export function answerLayer({ stimulus, answer }: RecordedExchange, transport: Transport): AnswerLayer {
  if (EDGE_STIMULI[transport].has(stimulus)) return isToolFailure(answer) ? "both" : "edge";
  return answer.kind === "body" ? "edge" : "server";
}

/** The functions that fix findings, where they help, and which answers they change. */
const CALLS = [
  { name: "guard", call: "guard(server)", on: ["stdio", "http"], reaches: ["server", "both"] },
  { name: "guardHandler", call: "guardHandler(handler)", on: ["http"], reaches: ["edge", "both"] },
  { name: "edgeErrorHandler", call: "edgeErrorHandler()", on: ["http"], reaches: ["edge", "both"] },
  { name: "guardStdin", call: "guardStdin()", on: ["stdio"], reaches: ["edge", "both"] },
  { name: "guardStdout", call: "guardStdout()", on: ["stdio"], reaches: ["server", "edge", "both"] },
] as const satisfies readonly {
  name: string;
  call: string;
  on: readonly Transport[];
  reaches: readonly AnswerLayer[];
}[];

/** A call with options fixes what those options are about, and nothing else. */
export const HAS_OPTIONS = /\bguard\w*\([^;]*,\s*\{/;

/** What the code of a fix comes down to on a transport, such as `guard(server)`. Undefined if it is more than calls. */
export function fixCalls(fix: Fix, transport: Transport): string | undefined {
  const calls = callsIn(fix, transport);
  return calls.length === 0 ? undefined : calls.map(({ call }) => call).join(" and ");
}

/** The answers that the code of a fix changes on a transport. Undefined if it is more than calls: the author decides. */
export function fixReach(fix: Fix, transport: Transport): ReadonlySet<AnswerLayer> | undefined {
  const calls = callsIn(fix, transport);
  return calls.length === 0 ? undefined : new Set(calls.flatMap(({ reaches }) => [...reaches]));
}

function callsIn({ code }: Fix, transport: Transport): readonly (typeof CALLS)[number][] {
  if (code === undefined || HAS_OPTIONS.test(code)) return [];
  return CALLS.filter(({ name, on }) => on.some((one) => one === transport) && new RegExp(`\\b${name}\\(`).test(code));
}
