import type { Fault } from "../fault/fault.ts";
import { isReceived } from "../fault/provenance.ts";
import { arrayAt, stringAt } from "../json/read.ts";
import { not_found, unreachable } from "../reasons/library/tool.ts";
import type { SdkClient } from "../sdk/client.ts";
import { MAX_PAGES, MAX_TOOLS } from "./all-pages.ts";
import type { ToolHints } from "./tool-hints.ts";

/** What asking for the list may use. */
interface Asking {
  readonly client: SdkClient<unknown>;
  /** The time that the failed call has left. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How long a failed call waits for the names at most. They make its text better, but are not worth more. */
const LIMIT_MS = 2_000;

/** Reasons whose candidates are tools. Those of others are values of arguments. */
const ABOUT_TOOLS: readonly string[] = [not_found.id, unreachable.id];

/**
 * Asks a server for the names of its tools, once, when one of its faults names a tool and no list is known. It never
 * rejects, and a success never waits for it.
 */
export class ToolNames {
  readonly #hints: ToolHints;
  #asked: Promise<void> | undefined;

  constructor(hints: ToolHints) {
    this.#hints = hints;
  }

  /** Ends when the names are known, or cannot be had in time. */
  async learnFor(fault: Fault, asking: Asking): Promise<void> {
    if (this.#hints.isListed || !isReceived(fault) || !namesTool(fault) || asking.signal?.aborted === true) return;
    if (asking.client.peekTools === undefined || !(asking.leftMs > 0)) return;
    this.#asked ??= this.#ask(asking.client).catch(() => undefined);
    await untilTimeIsOver(this.#asked, asking);
  }

  async #ask({ peekTools }: Asking["client"]): Promise<void> {
    const names: string[] = [];
    const limit = AbortSignal.timeout(LIMIT_MS);
    const options = { timeout: LIMIT_MS, maxTotalTimeout: LIMIT_MS, signal: limit };
    let cursor: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      const page = await peekTools?.(cursor === undefined ? {} : { cursor }, options);
      for (const tool of arrayAt(page, "tools")) names.push(stringAt(tool, "name") ?? "");
      cursor = stringAt(page, "nextCursor");
    } while (cursor !== undefined && pages < MAX_PAGES && names.length < MAX_TOOLS && !limit.aborted);
    this.#hints.learnNames(names.slice(0, MAX_TOOLS));
  }
}

function namesTool({ recourse, reason }: Fault): boolean {
  return recourse.some(
    ({ tool, candidates }) => tool !== undefined || (candidates !== undefined && ABOUT_TOOLS.includes(reason)),
  );
}

/** Waits for the names as long as the call may: it ends with its deadline, or when its caller leaves. */
function untilTimeIsOver(asked: Promise<void>, { leftMs, signal }: Asking): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, Math.min(leftMs, LIMIT_MS));
    signal?.addEventListener("abort", end, { once: true });
    void asked.then(end);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
  });
}
