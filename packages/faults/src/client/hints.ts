import type { ListedTool } from "./types.ts";

/** Remembers what a server says about its tools. */
export class Hints {
  readonly #known = new Map<string, ListedTool>();

  constructor(tools: readonly ListedTool[] = []) {
    this.learn(tools);
  }

  /** Takes note of tools as they were listed; the newest list counts. */
  learn(tools: readonly ListedTool[]): void {
    this.#known.clear();
    for (const tool of tools) this.#known.set(tool.name, tool);
  }

  /** Whether the server says that calling the tool twice does no more than calling it once. */
  sayRepeatable(tool: string): boolean {
    const hints = this.#known.get(tool)?.annotations;
    return hints?.readOnlyHint === true || hints?.idempotentHint === true;
  }

  /** The definition of a tool that promises a form for its results, without the promise; nothing for all others. */
  withoutOutput(tool: string): ListedTool | undefined {
    const known = this.#known.get(tool);
    return known?.outputSchema === undefined ? undefined : { ...known, outputSchema: undefined };
  }
}
