import { stringAt } from "../../dialects/wire.ts";
import type { Ask } from "./message.ts";

/** What to do with one request: a name, or a name with how. `ok` is to behave. */
export type Step<Name extends string> =
  | Name
  | "ok"
  | {
      readonly do: Name | "ok";
      /** How long, where the misbehaviour is about time. */
      readonly ms?: number;
      /** Carry the request out first, where the misbehaviour alone would not. */
      readonly commit?: boolean;
    };

/** A step in its long form. */
export interface Plan<Name extends string> {
  readonly do: Name;
  readonly ms: number | undefined;
  readonly commit: boolean;
}

/** What may decide about a request. */
export interface ScriptOptions<Name extends string> {
  /** Steps for the first requests, one each. */
  readonly script?: readonly Step<Name>[] | undefined;
  /** A step for every call of a tool, by its name. */
  readonly tools?: Readonly<Record<string, Step<Name>>> | undefined;
  /** Asked about every request that nothing else decides. */
  readonly choose?: ((ask: Ask) => Step<Name> | undefined) | undefined;
}

/** The steps that are still to come. */
export interface Script<Name extends string> {
  /** Puts steps at the end of the queue; `on` is the method that takes them, `*` any. */
  next(steps: Step<Name> | readonly Step<Name>[], options?: { readonly on?: string }): void;
  /** The plan for a request, or undefined to behave; `switched` is what the request itself asks for. */
  take(ask: Ask, switched?: string): Plan<Name> | undefined;
}

/** Where a request says how it wants to be treated. */
const SWITCH = "recourse/misbehave";

/** A queue of steps, with the tables and the chooser behind it. */
export function createScript<Name extends string>(
  isName: (name: unknown) => name is Name,
  { script = [], tools = {}, choose }: ScriptOptions<Name>,
): Script<Name> {
  const queue: { readonly on: string; readonly plan: Plan<Name> | undefined }[] = [];
  const planOf = (step: Step<Name>): Plan<Name> | undefined => {
    const { do: name, ms, commit = false } = typeof step === "string" ? { do: step } : step;
    if (name === "ok") return undefined;
    // A misspelt name would make a test pass for nothing.
    if (!isName(name)) throw new TypeError(`there is no misbehaviour "${name}"`);
    return { do: name, ms, commit };
  };
  const next: Script<Name>["next"] = (steps, { on = "tools/call" } = {}) => {
    for (const step of isList(steps) ? steps : [steps]) queue.push({ on, plan: planOf(step) });
  };
  next(script);
  const fixed = new Map(Object.entries(tools).map(([tool, step]) => [tool, planOf(step)]));
  return {
    next,
    take(ask, switched) {
      const asked = switched ?? stringAt(ask.meta, SWITCH);
      if (asked !== undefined) return planOf(asked as Name);
      const at = queue.findIndex(({ on }) => on === "*" || on === ask.method);
      const [queued] = at === -1 ? [] : queue.splice(at, 1);
      if (queued !== undefined) return queued.plan;
      const name = ask.method === "tools/call" ? (stringAt(ask.params, "name") ?? "") : "";
      if (fixed.has(name)) return fixed.get(name);
      return planOf(choose?.(ask) ?? "ok");
    },
  };
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
