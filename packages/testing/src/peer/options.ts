// The options of the peer as a program. The program of this package and `recourse peer` read the same table.
import { DEFAULT_DELAY_MS } from "./clock.ts";
import { CAUSES } from "./provoke.ts";
import type { PeerDialect } from "./server/compliant-server.ts";
import type { PeerLimits } from "./server/state.ts";
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
  /** The code of an error: sets the dialect and the limits that its cause needs. */
  cause: { type: "string" },
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
  /** Limits that differ from the usual ones. */
  readonly limits: Partial<PeerLimits>;
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
  const cause = findCause(values["cause"]);
  if (values["cause"] !== undefined && cause === undefined)
    return mistake(`No error of erlmcp has the code or the reason "${values["cause"]}".`);
  const dialect = PEER_DIALECTS.find((one) => one === (values["dialect"] ?? (cause === undefined ? "mcp" : "erlmcp")));
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
      limits: cause?.limits ?? {},
      idempotency: values["idempotency"] === true,
      delayMs,
    },
  };
}

/** One day: a longer time is a mistake, and timers cannot wait much longer. */
const MAX_DELAY_MS = 86_400_000;

/** A cause by its code, with or without the minus, or by its reason. */
function findCause(given: unknown): (typeof CAUSES)[number] | undefined {
  return CAUSES.find(({ code, reason }) => [String(code), String(-code), reason].includes(String(given)));
}

function listAt(values: PeerOptionValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

function mistake(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
