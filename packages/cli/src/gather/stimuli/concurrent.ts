import { MISSING } from "../planted.ts";
import type { Group } from "./group.ts";

/** Requests at once: fewer to servers elsewhere, which others use too. */
const AT_ONCE = { loopback: 40, elsewhere: 8 } as const;

/** Many calls of tools that do not exist, all at once. */
export const concurrent: Group = {
  stimulus: "concurrent",
  async run(talk, { loopback }) {
    const count = loopback ? AT_ONCE.loopback : AT_ONCE.elsewhere;
    await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const number = String(index + 1);
        const params = { name: `${MISSING.text}-${number}`, arguments: {} };
        const more = { timeoutMs: talk.conversation.waits.concurrentMs };
        return talk.request({ stimulus: "concurrent", variant: number }, "tools/call", params, more);
      }),
    );
  },
};
