import type { Fault, Origin } from "../../fault/fault.ts";
import { KINDS, knownKind } from "../../fault/kinds.ts";
import { permitted } from "../../fault/recourse.ts";
import type { Nets } from "../../safety/nets.ts";
import { internal } from "../library/core.ts";
import { execution_failed } from "../library/tool.ts";
import { recogniseAbort } from "./abort.ts";
import { classNameOf, peek, peekList, peekString } from "./peek.ts";
import { recognisePostgres } from "./postgres.ts";
import type { Build, Recogniser } from "./recogniser.ts";
import { recogniseSdk } from "./sdk.ts";
import { statedFault } from "./stated.ts";
import { recogniseSystem } from "./system.ts";

/** How a foreign throw becomes a fault. */
export interface ToFaultOptions extends Nets {
  /** `quote` when thrown sentences are meant for the model: they pass the nets and stand in `quote`. */
  readonly thrown?: "mask" | "quote";
  readonly origin?: Origin;
}

const RECOGNISERS: readonly Recogniser[] = [recogniseAbort, recogniseSdk, recognisePostgres, recogniseSystem];

/** How many errors of a chain of causes and aggregates are looked at. */
const MOST_LOOKED_AT = 20;

/** Turns anything that was thrown into a fault: total, and foreign text never becomes the message. */
export function toFault(thrown: unknown, options: ToFaultOptions = {}): Fault {
  const stated = statedFault(thrown, options);
  if (stated !== undefined) return stated;
  const quote = options.thrown === "quote" ? textOf(thrown) : undefined;
  const rest = {
    secrets: options.secrets,
    allow: options.allow,
    ...(options.origin && { origin: options.origin }),
    ...(quote !== undefined && { quote: { text: quote, from: "thrown" as const } }),
  };
  for (const one of chainOf(thrown)) {
    const inner = one === thrown ? undefined : statedFault(one, options);
    if (inner !== undefined) return doubt(inner);
    const build = recognise(one);
    if (build !== undefined) return doubt(build({ ...rest, basis: "mapped" }));
  }
  const fault = quote === undefined ? undefined : execution_failed.fault({}, { ...rest, recourse: SAID });
  // A text that a net withheld leaves nothing to act on, so it is masked like any other.
  return fault?.quote === undefined ? internal.fault(undefined, rest) : fault;
}

/** After a quoted sentence the model should read it, look at the state, and not simply repeat. */
const SAID = [{ do: "refresh" }, { do: "stop" }] as const;

function recognise(value: unknown): Build | undefined {
  for (const recogniser of RECOGNISERS) {
    const build = recogniser(value);
    if (build !== undefined) return build;
  }
  return undefined;
}

/** What a handler threw proves nothing about what it did before: nothing may be repeated on its strength. */
function doubt(fault: Fault): Fault {
  const kind = knownKind(fault);
  const { repeat } = KINDS[kind];
  if (fault.effect !== "none" || (repeat !== "waited" && repeat !== "harmless")) return fault;
  const effect = "possible";
  const recourse = Object.freeze(permitted(fault.recourse, { kind, effect, retry: fault.retry }));
  return Object.freeze({ ...fault, recourse, effect });
}

/** The thrown value, its causes and the members of aggregates, nearest first. */
function chainOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [thrown];
  for (let at = 0; at < chain.length && chain.length < MOST_LOOKED_AT; at++) {
    for (const next of [peek(chain[at], "cause"), ...peekList(chain[at], "errors", MOST_LOOKED_AT)]) {
      if (next !== undefined && !chain.includes(next)) chain.push(next);
    }
  }
  return chain.slice(0, MOST_LOOKED_AT);
}

/** Errors that the engine itself writes: their text quotes the data at hand, and nobody wrote it for a reader. */
const ENGINES_OWN = new Set(["SyntaxError", "ReferenceError", "EvalError", "InternalError"]);

/** What a throw says: the string itself, or the message of an error when it is plain data and an author's. */
function textOf(thrown: unknown): string | undefined {
  if (typeof thrown === "string") return thrown;
  return ENGINES_OWN.has(classNameOf(thrown) ?? "") ? undefined : peekString(thrown, "message");
}
