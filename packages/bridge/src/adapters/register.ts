import { type AnyReason, adapter, tool as tools } from "@recourse/faults";
import { declares, type GuardOptions, guard, guardCounts } from "@recourse/faults/server";
import type { DeclaredReasons } from "./reasons.ts";
import type { AnyTool } from "./spec.ts";

/** What is needed of a server: an `McpServer` of either version of the SDK. */
interface PeerServer {
  registerTool(name: string, config: object, handler: (...args: unknown[]) => unknown): unknown;
}

/** Runs one call: its tool, its arguments, and the context that the SDK hands on. */
type Run = (name: string, tool: AnyTool, args: unknown, context: unknown) => Promise<object>;

/** What it takes to put tools onto a server. */
export interface Registration {
  readonly tools: Readonly<Record<string, AnyTool>>;
  readonly reasons: DeclaredReasons;
  readonly run: Run;
  /** For a server that is not guarded yet. */
  readonly guardOptions: GuardOptions;
}

/** Puts the tools onto a server, and guards it if nobody has: what they throw has to become an answer. */
export function registerTools(server: object, { tools, reasons, run, guardOptions }: Registration): void {
  if (!("registerTool" in server)) throw new TypeError("tools are registered on an McpServer of SDK 1 or 2");
  if (guardCounts(server) === undefined) guard(server, guardOptions);
  for (const [name, tool] of Object.entries(tools)) {
    const { handler: _runs, timeoutMs: _limit, fails, inputSchema, ...shown } = tool;
    const config = {
      ...shown,
      ...(inputSchema !== undefined && { inputSchema }),
      _meta: declares(...reasonsOf(fails ?? [...reasons.keys()], reasons)),
    };
    // Without a schema the SDK hands on the context alone.
    const handle =
      inputSchema === undefined
        ? (context: unknown) => run(name, tool, {}, context)
        : (args: unknown, context: unknown) => run(name, tool, args, context);
    (server as PeerServer).registerTool(name, config, handle);
  }
}

/** What a tool may fail with: its declared reasons, and those that every tool of an adapter has. */
function reasonsOf(identifiers: readonly string[], reasons: DeclaredReasons): AnyReason[] {
  const own = identifiers.flatMap((identifier) => reasons.get(identifier) ?? []);
  return [...own, adapter.failed, adapter.unavailable, tools.timeout];
}
