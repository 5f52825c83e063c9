import { type AnyReason, adapter, tool as toolReasons } from "@recourse/faults";
import { declares, type GuardOptions } from "@recourse/faults/server";
import { guardedServer } from "../sdk/server.ts";
import type { DeclaredReasons } from "./failures.ts";
import type { AnyTool } from "./spec.ts";

/** Options for registering the tools of an adapter. */
export interface RegisterOptions {
  readonly tools: Readonly<Record<string, AnyTool>>;
  readonly reasons: DeclaredReasons;
  /** Runs one call; `context` is what the SDK passes to a handler. */
  readonly run: (name: string, tool: AnyTool, args: unknown, context: unknown) => Promise<object>;
  /** For a server that is not guarded yet. */
  readonly guardOptions: GuardOptions;
}

/** Registers the tools on a server, and guards it if it is not guarded yet: the guard answers for what the tools throw. */
export function registerTools(server: object, { tools, reasons, run, guardOptions }: RegisterOptions): void {
  const guarded = guardedServer(server, guardOptions);
  for (const [name, tool] of Object.entries(tools)) {
    const { handler: _handler, timeoutMs: _timeoutMs, fails, inputSchema, ...shown } = tool;
    const config = {
      ...shown,
      ...(inputSchema !== undefined && { inputSchema }),
      _meta: declares(...reasonsOfTool(fails ?? [...reasons.keys()], reasons)),
    };
    // Without a schema the SDK passes the context alone.
    const handle =
      inputSchema === undefined
        ? (context: unknown) => run(name, tool, {}, context)
        : (args: unknown, context: unknown) => run(name, tool, args, context);
    guarded.registerTool(name, config, handle);
  }
}

/** The reasons that a tool may fail with: its declared ones, and those of every tool of an adapter. */
function reasonsOfTool(identifiers: readonly string[], reasons: DeclaredReasons): AnyReason[] {
  const own = identifiers.flatMap((identifier) => reasons.get(identifier) ?? []);
  return [...own, adapter.failed, adapter.unavailable, toolReasons.timeout];
}
