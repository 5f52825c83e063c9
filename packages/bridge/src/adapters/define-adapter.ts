import type { AnyReason } from "@recourse/core";
import { adapter, tool as toolReasons } from "@recourse/core/reasons";
import { declares, type GuardOptions } from "@recourse/core/server";
import { checkNumber } from "@recourse/core/wire";
import { guardedServer } from "../sdk.ts";
import { declareReasons, type FaultSpecs, failFor } from "./adapter-error.ts";
import { type AdapterHealth, BackendManager } from "./backend-manager.ts";
import { runCall } from "./call.ts";
import { type AdapterOptions, resolveOptions, TIMER_RANGE } from "./options.ts";
import type { AdapterSpec, AnyTool } from "./spec.ts";

/** A defined adapter: its tools and failures, without a backend yet. */
export interface AdapterType<Config, Identifier extends string = string> {
  /** The name of the adapter, which is the domain of its reasons. */
  readonly name: string;
  /** The reason behind each declared failure, for documentation and for `declares`. */
  readonly reasons: Readonly<Record<Identifier, AnyReason>>;
  /** Makes an adapter over one backend. The backend starts with the first call, or with `start`. */
  create(config: Config, options?: AdapterOptions): Adapter;
}

/** Tools over one backend. */
export interface Adapter {
  /** The name of the adapter, which is the domain of its reasons. */
  readonly name: string;
  /** The current state of the adapter and its backend. */
  readonly health: AdapterHealth;
  /** Starts the backend before the first call needs it. Throws a `FaultError` when the backend does not start. */
  start(): Promise<void>;
  /**
   * Registers the tools on an `McpServer` of SDK 1 or 2, and returns the server. A server that is not guarded yet is guarded
   * with the options. Over HTTP with a server for each request, all servers share this adapter and its backend.
   */
  register<T extends object>(server: T, options?: GuardOptions): T;
  /**
   * Waits up to `drainTimeoutMs` for running calls, aborts the rest, and closes the backend. Aborting the signal ends the
   * wait. It never rejects.
   */
  close(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/**
 * Defines a set of tools over one backend, and every failure that their callers can act on.
 *
 * It throws a TypeError or RangeError if the spec cannot be used.
 *
 * @example
 * const shop = defineAdapter({
 *   name: "shop",
 *   faults: {
 *     SOLD_OUT: { kind: "precondition_failed", text: "Only {left} are left.", slots: { left: slot.integer } },
 *   },
 *   lifecycle: {
 *     initialise: (config: { readonly url: string }) => openShop(config.url),
 *     close: (backend) => backend.end(),
 *   },
 *   tools: {
 *     buy: {
 *       description: "Buys articles.",
 *       inputSchema: z.object({ quantity: z.number().int().min(1) }),
 *       handler: async ({ quantity }, { backend, fail }) => {
 *         const { left, order } = await backend.buy(quantity);
 *         if (order === undefined) throw fail("SOLD_OUT", { left });
 *         return { content: [{ type: "text", text: `Order ${order} is placed.` }] };
 *       },
 *     },
 *   },
 * });
 *
 * const adapter = shop.create({ url: "https://shop.example" });
 * const server = adapter.register(new McpServer({ name: "shop", version: "1.0.0" }));
 */
export function defineAdapter<Config, Backend, Schemas, const Faults extends FaultSpecs>(
  spec: AdapterSpec<Config, Backend, Schemas, Faults>,
): AdapterType<Config, keyof Faults & string> {
  const { name, lifecycle } = spec;
  const reasons = declareReasons(name, spec.faults);
  const fail = failFor<FaultSpecs>(spec.faults);
  const tools = spec.tools as Readonly<Record<string, AnyTool>>;
  for (const [tool, { deadlineMs, fails = [] }] of Object.entries(tools)) {
    checkNumber(`tools.${tool}.deadlineMs`, deadlineMs, TIMER_RANGE);
    const unknown = fails.find((identifier) => !reasons.has(identifier));
    if (unknown !== undefined)
      throw new TypeError(`${tool} fails with ${unknown}, which ${name} does not declare: add it to faults`);
  }

  function create(config: Config, options: AdapterOptions = {}): Adapter {
    const resolved = resolveOptions(options);
    const { clock, deadlineMs, sink } = resolved;
    const manager = new BackendManager({ name, lifecycle, config, options: resolved });
    return {
      name,
      get health() {
        return manager.health;
      },
      async start() {
        const start = await manager.acquire();
        if (!start.ok) throw adapter.unavailable({}, { effect: "none" });
      },
      register(server, guardOptions = {}) {
        const guarded = guardedServer(server, { sink, ...guardOptions });
        for (const [toolName, tool] of Object.entries(tools)) {
          const { handler: _handler, deadlineMs: _deadlineMs, fails, ...shown } = tool;
          const own = (fails ?? [...reasons.keys()]).flatMap((identifier) => reasons.get(identifier) ?? []);
          const _meta = declares(...own, adapter.failed, adapter.unavailable, toolReasons.timeout);
          const run = (args: unknown, context: unknown) =>
            runCall({ manager, clock, reasons, fail, name: toolName, tool, args, context, deadlineMs });
          // Without a schema the SDK passes the context alone.
          const handle = tool.inputSchema === undefined ? (context: unknown) => run({}, context) : run;
          guarded.registerTool(toolName, { ...shown, _meta }, handle);
        }
        return server;
      },
      close: ({ signal } = {}) => manager.close(signal),
    };
  }

  return { name, reasons: Object.fromEntries(reasons) as never, create };
}
