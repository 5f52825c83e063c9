// An adapter on a clock that stands still, without a server around it.
import type { Fault, FaultError } from "@recourse/faults";
import { expect } from "vitest";
import { VirtualClock } from "../../faults/test/retry/clock.ts";
import { runCall } from "../src/adapters/call.ts";
import { Keeper } from "../src/adapters/keeper.ts";
import { type AdapterOptions, settle } from "../src/adapters/options.ts";
import { declareReasons } from "../src/adapters/reasons.ts";
import type { AnyTool, Lifecycle } from "../src/adapters/spec.ts";

const reasons = declareReasons("shop", { GONE: { kind: "not_found", text: "It is gone." } });
export const answer = { content: [{ type: "text", text: "done" }] };

interface World {
  readonly lifecycle?: Partial<Lifecycle<string, string>>;
  readonly options?: AdapterOptions;
}

/** A keeper on a clock that stands still, and a way to call tools over it. */
export function adapted({ lifecycle, options }: World = {}) {
  const clock = new VirtualClock();
  const told: string[] = [];
  const closed: string[] = [];
  const settled = settle({
    clock,
    timeoutMs: 1_000,
    downAfter: 3,
    sink: ({ cause }) => told.push((cause as Error).message),
    ...options,
  });
  const keeper = new Keeper<string, string>({
    name: "shop",
    config: "config",
    settled,
    lifecycle: {
      initialise: (config) => `backend of ${config}`,
      health: () => {},
      close: (backend) => closed.push(backend),
      ...lifecycle,
    },
  });
  const call = (handler: AnyTool["handler"], { tool = {}, context = {} as unknown } = {}) => {
    const spec = { description: "A tool.", ...tool, handler };
    return runCall({ keeper, clock, reasons, name: "buy", tool: spec, args: { n: 1 }, context, timeoutMs: 1_000 });
  };
  return { clock, keeper, call, told, closed };
}

/** How a call failed. */
export const failure = (call: Promise<object>): Promise<Fault> =>
  call.then(
    () => expect.unreachable(),
    ({ fault }: FaultError) => fault,
  );
export const hang = () => new Promise<never>(() => {});
export const broken = () => Promise.reject(new Error("connection string postgres://app:hunter2@10.0.0.5"));
