import type { AnyReason } from "@recourse/faults";
import { adapter as library } from "@recourse/faults";
import type { GuardOptions } from "@recourse/faults/server";
import { runCall } from "./call.ts";
import { type AdapterHealth, Keeper } from "./keeper.ts";
import { type AdapterOptions, checkPositive, settle } from "./options.ts";
import { declareReasons } from "./reasons.ts";
import { registerTools } from "./register.ts";
import type { AdapterSpec, AnyTool, FaultSpecs } from "./spec.ts";

/** A kind of adapter: what it can do and how it fails, without a backend yet. */
export interface AdapterType<Config, Identifier extends string = string> {
  readonly name: string;
  /** The reasons behind its identifiers, for documentation and for `declares`. */
  readonly reasons: Readonly<Record<Identifier, AnyReason>>;
  /** An adapter over one backend; the backend starts with the first call, or with `start`. */
  create(config: Config, options?: AdapterOptions): Adapter;
}

/** Tools over one backend, and the life of that backend. */
export interface Adapter {
  readonly name: string;
  readonly health: AdapterHealth;
  /** Starts the backend before the first call needs it; throws a FaultError when it does not start. */
  start(): Promise<void>;
  /**
   * Puts the tools onto an `McpServer` of SDK 1 or 2, and guards it if it is not guarded yet; gives it back. Over HTTP, where
   * there may be a server for each request, all of them share this adapter and its backend.
   */
  register<T extends object>(server: T, options?: GuardOptions): T;
  /** Waits for running calls, for a while, then ends them and closes the backend; a signal ends the wait. */
  close(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Defines a set of tools over one backend, and every way in which it may fail. */
export function defineAdapter<Config, Backend, Schemas, const Faults extends FaultSpecs>(
  spec: AdapterSpec<Config, Backend, Schemas, Faults>,
): AdapterType<Config, keyof Faults & string> {
  const { name, lifecycle } = spec;
  const reasons = declareReasons(name, spec.faults);
  const tools = spec.tools as Readonly<Record<string, AnyTool>>;
  for (const [tool, { timeoutMs, fails = [] }] of Object.entries(tools)) {
    if (timeoutMs !== undefined) checkPositive(`timeoutMs of ${tool}`, timeoutMs);
    const unknown = fails.find((identifier) => !reasons.has(identifier));
    if (unknown !== undefined) throw new TypeError(`${tool} fails with ${unknown}, which ${name} does not declare`);
  }

  function create(config: Config, options: AdapterOptions = {}): Adapter {
    const settled = settle(options);
    const { clock, timeoutMs, sink } = settled;
    const keeper = new Keeper({ name, lifecycle, config, settled });
    return {
      name,
      get health() {
        return keeper.health;
      },
      async start() {
        const start = await keeper.take();
        if (!start.ok) throw library.unavailable({}, { effect: "none" });
      },
      register(server, guardOptions = {}) {
        registerTools(server, {
          tools,
          reasons,
          guardOptions: { ...(sink && { sink }), ...guardOptions },
          run: (tool, spec, args, context) =>
            runCall({ keeper, clock, reasons, name: tool, tool: spec, args, context, timeoutMs }),
        });
        return server;
      },
      close: ({ signal } = {}) => keeper.close(signal),
    };
  }

  return { name, reasons: Object.fromEntries(reasons) as never, create };
}
