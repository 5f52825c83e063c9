import type { ListedTool } from "../sdk/client-types.ts";

/** Remembers what a server says about its tools. */
export class ToolHints {
  readonly #known = new Map<string, ListedTool>();

  constructor(tools: readonly ListedTool[] = []) {
    this.learn(tools);
  }

  /** Replaces what is known by a list of tools. */
  learn(tools: readonly ListedTool[]): void {
    this.#known.clear();
    for (const tool of tools) this.#known.set(tool.name, tool);
  }

  /** Whether the server is known to have a tool. */
  has(tool: string): boolean {
    return this.#known.has(tool);
  }

  /** Whether the server says that calling the tool twice does no more than calling it once. */
  saysRepeatable(tool: string): boolean {
    const hints = this.#known.get(tool)?.annotations;
    return hints?.readOnlyHint === true || hints?.idempotentHint === true;
  }

  /** Whether the server says that the tool changes nothing. */
  saysReadOnly(tool: string): boolean {
    return this.#known.get(tool)?.annotations?.readOnlyHint === true;
  }

  /** The definition of a tool that has an output schema, without that schema; undefined for all others. */
  withoutOutput(tool: string): ListedTool | undefined {
    const known = this.#known.get(tool);
    return known?.outputSchema === undefined ? undefined : { ...known, outputSchema: undefined };
  }
}
