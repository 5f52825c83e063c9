import type { ClientContract } from "../dialect.ts";
import { QAQNUZ_WAIT_MS, sanitizedSentence } from "./table.ts";

/** How qaqnuz clients repeat a call and what they throw in the end. */
export const QAQNUZ_CONTRACT: ClientContract = {
  // The jitter of a hint is a fraction of its wait and of nothing else.
  policy: { stepMs: QAQNUZ_WAIT_MS, baseMs: 0, overloadBaseMs: 0, capMs: 60_000 },
  describe: (tool, fault) => `call_tool ${tool} failed: ${sanitizedSentence(fault)}`,
};
