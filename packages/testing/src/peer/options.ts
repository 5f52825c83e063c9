// The options of the peer as a program. The program of this package and `recourse peer` read the same table.
import { DEFAULT_DELAY_MS } from "./clock.ts";
import type { PeerDialect } from "./server/compliant-server.ts";
import { type StepSpec, unknownStep } from "./step-queue.ts";

/** The dialects of error replies that a command line can name. */
const PEER_DIALECTS = ["mcp", "erlmcp"] as const satisfies readonly PeerDialect[];

/** Every option that decides how a peer misbehaves, as `parseArgs` of Node takes them. */
export const PEER_OPTIONS = {
  /** A step for the next tool call; given again, for the call after that. */
  next: { type: "string", multiple: true },
  /** A step for every call of a tool, as `tool=step`. */
  tool: { type: "string", multiple: true },
  dialect: { type: "string" },
  idempotency: { type: "boolean" },
  "delay-ms": { type: "string" },
} as const satisfies Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean }>;

/** The values that a parser found, by the name of the option. */
export type PeerOptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command line asks for. */
export interface ReadPeerOptions<Name extends string> {
  /** Steps for the first tool calls, one each. */
  readonly steps: readonly StepSpec<Name>[];
  /** A step for every call of a tool, by the name of the tool. */
  readonly tools: Readonly<Record<string, StepSpec<Name>>>;
  /** The dialect of its error replies. */
  readonly dialect: PeerDialect;
  /** Whether idempotency keys are honoured and announced. */
  readonly idempotency: boolean;
  /** How long misbehaviours take that are about time, in milliseconds. */
  readonly delayMs: number;
}

/** The options, or one sentence about the first mistake. */
export type PeerOptionsRead<Name extends string> =
  | { readonly ok: true; readonly options: ReadPeerOptions<Name> }
  | { readonly ok: false; readonly problem: string };

/** Reads the values of a command line. `known` are the misbehaviours of the transport. */
export function readPeerOptions<Name extends string>(
  values: PeerOptionValues,
  known: Readonly<Record<Name, unknown>>,
): PeerOptionsRead<Name> {
  const next = listAt(values, "next");
  const pairs = listAt(values, "tool").map((pair) => pair.split("="));
  const unpaired = pairs.find(([tool = "", step = ""]) => tool === "" || step === "");
  if (unpaired !== undefined) return mistake(`--tool needs a tool and a misbehaviour, such as charge=lost-silence.`);
  for (const name of [...next, ...pairs.map(([, step = ""]) => step)]) {
    const problem = unknownStep(name, Object.keys(known));
    if (problem !== undefined) return mistake(problem);
  }
  const dialect = PEER_DIALECTS.find((one) => one === (values["dialect"] ?? "mcp"));
  if (dialect === undefined) return mistake(`--dialect is one of ${PEER_DIALECTS.join(", ")}.`);
  const delayMs = Number(values["delay-ms"] ?? DEFAULT_DELAY_MS);
  if (!(delayMs >= 0 && delayMs <= MAX_DELAY_MS))
    return mistake(`--delay-ms is a number of milliseconds from 0 to ${MAX_DELAY_MS}.`);
  return {
    ok: true,
    options: {
      steps: next as Name[],
      tools: Object.fromEntries(pairs) as Record<string, Name>,
      dialect,
      idempotency: values["idempotency"] === true,
      delayMs,
    },
  };
}

/** One day: a longer time is a mistake, and timers cannot wait much longer. */
const MAX_DELAY_MS = 86_400_000;

function listAt(values: PeerOptionValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

function mistake(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
