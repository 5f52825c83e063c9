import { nearestNames } from "@recourse/core";
import { idempotency } from "@recourse/core/reasons";
import { type JsonObject, NAMESPACE, stringAt } from "@recourse/core/wire";
import type { PeerRequest } from "./json-rpc.ts";

/** How to treat one request: the name of a misbehaviour, `ok` to behave, or either with options. */
export type StepSpec<Name extends string> =
  | Name
  | "ok"
  | {
      /** The name of a misbehaviour, or `ok`. */
      readonly do: Name | "ok";
      /** How long the misbehaviour takes, if it is about time. @default `delayMs` of the peer */
      readonly delayMs?: number;
      /** Carry the request out first, even if the misbehaviour alone would not. @default false */
      readonly commit?: boolean;
    };

/** A misbehaviour that applies to a request, with its options. */
export interface PlannedStep<Name extends string> {
  readonly do: Name;
  readonly delayMs: number | undefined;
  readonly commit: boolean;
}

export interface StepOptions<Name extends string> {
  /** Steps for the first tool calls, one each. @default [] */
  readonly steps?: readonly StepSpec<Name>[] | undefined;
  /** A step for every call of a tool, by the name of the tool. @default {} */
  readonly tools?: Readonly<Record<string, StepSpec<Name>>> | undefined;
  /** Chooses the step for every request that neither `steps` nor `tools` decide. @default the peer behaves */
  readonly choose?: ((request: PeerRequest) => StepSpec<Name> | undefined) | undefined;
}

export interface StepQueue<Name extends string> {
  /** Adds steps to the queue. `on` is the method whose requests take them; `*` means any method. */
  next(steps: StepSpec<Name> | readonly StepSpec<Name>[], options?: { readonly on?: string }): void;
  /** Forgets the steps that were added and not taken. */
  clear(): void;
  /** Takes the step for a request; undefined means to behave. `requested` is a name that the transport read. */
  take(request: PeerRequest, requested?: string): PlannedStep<Name> | undefined;
}

/** The member of `_meta` in which a request names the misbehaviour that it wants. */
export const MISBEHAVE_KEY = `${NAMESPACE}/misbehave`;

/** Creates a queue of steps. Behind it stand the steps by tool, then `choose`. */
export function createStepQueue<Name extends string>(
  known: Readonly<Record<Name, unknown>>,
  { steps: initial = [], tools = {}, choose }: StepOptions<Name>,
): StepQueue<Name> {
  const queue: { readonly on: string; readonly step: PlannedStep<Name> | undefined }[] = [];
  const plan = (step: StepSpec<Name>): PlannedStep<Name> | undefined => {
    const { do: name, delayMs, commit = false } = typeof step === "string" ? { do: step } : step;
    if (name === "ok") return undefined;
    // A misspelt name would make a test pass without testing anything.
    const problem = unknownStep(name, Object.keys(known));
    if (problem !== undefined) throw new TypeError(problem);
    return { do: name, delayMs, commit };
  };
  const next: StepQueue<Name>["next"] = (steps, { on = "tools/call" } = {}) => {
    // All of them or none, so that a misspelt name leaves nothing behind.
    queue.push(...(isStepList(steps) ? steps : [steps]).map((step) => ({ on, step: plan(step) })));
  };
  next(initial);
  const byTool = new Map(Object.entries(tools).map(([tool, step]) => [tool, plan(step)]));
  return {
    next,
    clear() {
      queue.length = 0;
    },
    take(request, requested = stringAt(request.meta, MISBEHAVE_KEY)) {
      if (requested !== undefined) return plan(requested as Name);
      const at = queue.findIndex(({ on }) => on === "*" || on === request.method);
      const [queued] = at === -1 ? [] : queue.splice(at, 1);
      if (queued !== undefined) return queued.step;
      const tool = request.method === "tools/call" ? (stringAt(request.params, "name") ?? "") : "";
      if (byTool.has(tool)) return byTool.get(tool);
      return plan(choose?.(request) ?? "ok");
    },
  };
}

/** What is wrong with the name of a step; undefined if nothing is. */
export function unknownStep(name: string, known: readonly string[]): string | undefined {
  if (name === "ok" || known.includes(name)) return undefined;
  const [meant] = nearestNames(name, known, 1);
  return `There is no misbehaviour "${name}"${meant === undefined ? "." : `; did you mean "${meant}"?`}`;
}

function isStepList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

export interface AppliedEffect {
  readonly tool: string;
  /** The call that caused it: the id in `_meta["recourse/call"]`, else the argument `order`, else the JSON-RPC id. */
  readonly call: string;
  readonly key: string | undefined;
}

/** How often effects really happened. */
export interface EffectCounts {
  /** All effects. */
  readonly total: number;
  /** Effects by the id of their call. */
  readonly calls: Readonly<Record<string, number>>;
  /** Effects by the idempotency key of their call. */
  readonly keys: Readonly<Record<string, number>>;
}

/** Records effects, and stores the result of each idempotency key. */
export interface EffectLog {
  record(effect: AppliedEffect): void;
  /** Gives the stored result of a key, or runs the call and stores its result. Other arguments are a conflict. */
  runOnce(key: string, call: { readonly tool: string; readonly args: JsonObject }, run: () => JsonObject): JsonObject;
  counts(): EffectCounts;
}

/** Counts effects that were recorded in this process or in another one. */
export function countEffects(effects: readonly AppliedEffect[]): EffectCounts {
  const tally = (names: readonly (string | undefined)[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const name of names) if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  return {
    total: effects.length,
    calls: tally(effects.map(({ call }) => call)),
    keys: tally(effects.map(({ key }) => key)),
  };
}

/** A log in memory. `onEffect` is called for every effect, before its call is answered. */
export function createEffectLog(onEffect: (effect: AppliedEffect) => void = () => {}): EffectLog {
  const effects: AppliedEffect[] = [];
  const stored = new Map<string, { readonly fingerprint: string; readonly result: JsonObject }>();
  return {
    record(effect) {
      effects.push(effect);
      onEffect(effect);
    },
    runOnce(key, { tool, args }, run) {
      const fingerprint = sortedJson([tool, args]);
      const earlier = stored.get(key);
      if (earlier !== undefined && earlier.fingerprint !== fingerprint) throw idempotency.key_reused();
      if (earlier !== undefined) return earlier.result;
      const result = run();
      stored.set(key, { fingerprint, result });
      return result;
    },
    counts: () => countEffects(effects),
  };
}

/** JSON with sorted members, so that equal values give the same text. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
