import type { ListedTool } from "../sdk/client-types.ts";

/** Remembers what a server says about its tools. */
export class ToolHints {
  readonly #known = new Map<string, ListedTool>();
  #names: ReadonlySet<string> = new Set();
  #isListed = false;

  constructor(tools: readonly ListedTool[] = []) {
    if (tools.length > 0) this.learn(tools);
  }

  /** Whether the list of the server's tools is known. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Replaces what is known by a list of tools. */
  learn(tools: readonly ListedTool[]): void {
    this.#isListed = true;
    this.#known.clear();
    for (const tool of tools) this.#known.set(tool.name, tool);
  }

  /** Notes the names of the server's tools, where its list was not asked for by the user. */
  learnNames(names: readonly string[]): void {
    this.#names = new Set(names);
  }

  /** Whether the server is known to have a tool. */
  has(tool: string): boolean {
    return this.#known.has(tool) || (!this.#isListed && this.#names.has(tool));
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
