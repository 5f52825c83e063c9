import { invalid_result } from "../reasons/library/protocol.ts";
import type { ListedTool, SdkClient } from "../sdk/client.ts";
import { arrayAt, stringAt } from "../wire/json.ts";
import type { Outcome } from "./options.ts";

interface ToolPage {
  readonly tools?: readonly ListedTool[];
  readonly nextCursor?: string;
}

/** More pages than any real list has; a list whose pages form a circle would never end. */
const MAX_PAGES = 100;
/** More tools than any host can offer to a model. */
const MAX_LISTED_TOOLS = 10_000;

/**
 * All pages of a list of tools; version 2 of the SDK gives all of them as one. A list without a reasonable end is a fault, not
 * its beginning: code that takes a part for the whole list would think that the other tools are missing.
 */
export async function allPages(
  page: (cursor: string | undefined) => Promise<Outcome<unknown>>,
): Promise<Outcome<readonly ListedTool[]>> {
  let tools: readonly ListedTool[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const outcome = await page(cursor);
    if (!outcome.ok) return outcome;
    const { tools: found = [], nextCursor } = outcome.result as ToolPage;
    if (tools.length + found.length > MAX_LISTED_TOOLS) break;
    tools = [...tools, ...found];
    if (nextCursor === undefined) return { ok: true, result: tools };
    cursor = nextCursor;
  }
  return { ok: false, fault: invalid_result.fault({}, { effect: "none", origin: { layer: "client" } }) };
}

export class ToolHints {
  readonly #known = new Map<string, ListedTool>();
  #isListed = false;

  constructor(tools: readonly ListedTool[] = []) {
    if (tools.length > 0) this.learn(tools);
  }

  get isListed(): boolean {
    return this.#isListed;
  }

  learn(tools: readonly ListedTool[]): void {
    this.#isListed = true;
    this.#known.clear();
    for (const tool of tools) this.#known.set(tool.name, tool);
  }

  has(tool: string): boolean {
    return this.#known.has(tool);
  }

  /** Whether the server says that calling the tool twice does no more than calling it once. */
  saysRepeatable(tool: string): boolean {
    const hints = this.#known.get(tool)?.annotations;
    return hints?.readOnlyHint === true || hints?.idempotentHint === true;
  }

  saysReadOnly(tool: string): boolean {
    return this.#known.get(tool)?.annotations?.readOnlyHint === true;
  }

  /** The definition of a tool that has an output schema, without that schema; undefined for all others. */
  withoutOutput(tool: string): ListedTool | undefined {
    const known = this.#known.get(tool);
    return known?.outputSchema === undefined ? undefined : { ...known, outputSchema: undefined };
  }
}

interface LookupQuery {
  readonly client: SdkClient<unknown>;
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How long a failed call waits for the list at most: it makes the answer better, but is not worth more. */
const LOOKUP_LIMIT_MS = 2_000;

/**
 * Asks a trusted server for its tools when a call failed and no list is known: their annotations tell whether the call may be
 * repeated. It never rejects, and a success never waits for it.
 */
export class ToolLookup {
  readonly #hints: ToolHints;
  #asked: Promise<void> | undefined;

  constructor(hints: ToolHints) {
    this.#hints = hints;
  }

  /** Ends when the tools are known, or cannot be had in time. */
  async learn(query: LookupQuery): Promise<void> {
    const { client, leftMs, signal } = query;
    if (this.#hints.isListed || signal?.aborted === true || client.peekTools === undefined || !(leftMs > 0)) return;
    this.#asked ??= this.#ask(client).catch(() => {
      this.#asked = undefined;
    });
    await untilTimeIsOver(this.#asked, query);
  }

  async #ask({ peekTools }: LookupQuery["client"]): Promise<void> {
    const tools: ListedTool[] = [];
    const limit = AbortSignal.timeout(LOOKUP_LIMIT_MS);
    const options = { timeout: LOOKUP_LIMIT_MS, maxTotalTimeout: LOOKUP_LIMIT_MS, signal: limit };
    let cursor: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      const page = await peekTools?.(cursor === undefined ? {} : { cursor }, options);
      tools.push(...arrayAt(page, "tools").filter(isNamedTool));
      cursor = stringAt(page, "nextCursor");
    } while (cursor !== undefined && pages < MAX_PAGES && tools.length < MAX_LISTED_TOOLS && !limit.aborted);
    if (!this.#hints.isListed) this.#hints.learn(tools.slice(0, MAX_LISTED_TOOLS));
  }
}

function isNamedTool(tool: unknown): tool is ListedTool {
  return stringAt(tool, "name") !== undefined;
}

/** Waits for the list as long as the call may: it ends with its deadline, or when its caller leaves. */
function untilTimeIsOver(asked: Promise<void>, { leftMs, signal }: LookupQuery): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, Math.min(leftMs, LOOKUP_LIMIT_MS));
    signal?.addEventListener("abort", end, { once: true });
    void asked.then(end);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
  });
}
