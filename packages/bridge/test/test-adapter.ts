// An adapter on a virtual clock, without a server around it.
import type { Fault, FaultError } from "@recourse/core";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { expect } from "vitest";
import { declareReasons, type FaultSpecs, failFor } from "../src/adapters/adapter-error.ts";
import { BackendManager } from "../src/adapters/backend-manager.ts";
import { runCall } from "../src/adapters/call.ts";
import { type AdapterOptions, resolveOptions } from "../src/adapters/options.ts";
import type { AnyTool, Lifecycle } from "../src/adapters/spec.ts";

const FAULTS = { GONE: { kind: "not_found", text: "It is gone." } } as const;
const reasons = declareReasons("shop", FAULTS);
const fail = failFor<FaultSpecs>(FAULTS);
export const answer = { content: [{ type: "text", text: "done" }] };

interface World {
  readonly lifecycle?: Partial<Lifecycle<string, string>>;
  readonly options?: AdapterOptions;
}

/** A backend manager on a virtual clock, and a function that calls tools over it. */
export function createTestAdapter({ lifecycle, options }: World = {}) {
  const clock = new VirtualClock();
  const reported: string[] = [];
  const closed: string[] = [];
  const resolved = resolveOptions({
    testing: { clock, random: () => 0 },
    deadlineMs: 1_000,
    breaker: { failures: 3, pauseMs: 10_000, maxPauseMs: 40_000 },
    sink: ({ cause }) => reported.push((cause as Error).message),
    ...options,
  });
  const manager = new BackendManager<string, string>({
    name: "shop",
    config: "config",
    options: resolved,
    lifecycle: {
      initialise: (config) => `backend of ${config}`,
      close: (backend) => closed.push(backend),
      ...lifecycle,
    },
  });
  const call = (handler: AnyTool["handler"], { tool = {}, context = {} as unknown } = {}) => {
    const spec = { description: "A tool.", ...tool, handler };
    return runCall({
      manager,
      clock,
      reasons,
      fail,
      name: "buy",
      tool: spec,
      args: { n: 1 },
      context,
      deadlineMs: 1_000,
    });
  };
  return { clock, manager, call, reported, closed };
}

/** Lets the time come, also if nothing waits for it. */
export async function pass(clock: VirtualClock, at: number): Promise<void> {
  clock.at(at, () => {});
  await clock.run(at);
}

/** How a call failed. */
export const failure = (call: Promise<object>): Promise<Fault> =>
  call.then(
    () => expect.unreachable(),
    ({ fault }: FaultError) => fault,
  );
export const hang = () => new Promise<never>(() => {});
export const broken = () => Promise.reject(new Error("connection string postgres://app:hunter2@10.0.0.5"));
