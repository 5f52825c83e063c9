// Causes one failure in one way, and observes what the model, the program and the server see.
import { withoutIds } from "../model-text/fixed.ts";
import type { Answer } from "./call.ts";
import { type Caller, connect } from "./connect.ts";
import { CALLS, type FailureName, type Observation } from "./failures.ts";
import type { Way } from "./way.ts";

const ORDER = { order: 7 };
const CHARGE = { amount: 42 };

/** The calls that cause each failure; the answer of the last one counts. */
const CAUSES = {
  "driver-error": ({ call }) => call("cancel_order", ORDER),
  "unknown-tool": ({ call }) => call("cancel_ordr", ORDER),
  "wrong-arguments": ({ call }) => call("cancel_order", { order: "seven" }),
  "rate-limited": ({ call }) => call("cancel_order", ORDER),
  "no-answer": ({ call }) => call("charge_card", CHARGE),
  "process-dies": ({ call }) => call("cancel_order", ORDER),
  "expired-token": ({ call }) => call("cancel_order", ORDER),
  "tool-sentence": ({ call }) => call("cancel_order", ORDER),
  "failing-server": async ({ call }) => {
    for (let made = 1; made < CALLS; made++) await call("cancel_order", ORDER);
    return call("cancel_order", ORDER);
  },
  "same-payment": async ({ call }) => {
    const first = await call("charge_card", CHARGE);
    return first.program === "result" ? first : call("charge_card", CHARGE);
  },
} as const satisfies Record<FailureName, (caller: Caller) => Promise<Answer>>;

/** Causes a failure, and returns what was seen of it. */
export async function observe(failure: FailureName, way: Way): Promise<Observation> {
  const caller = await connect(failure, way);
  try {
    const startedMs = performance.now();
    const { model, program } = await CAUSES[failure](caller);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const { requests, runs, incidents } = caller.count();
    const hasRecourse = way === "library" || way === "gateway";
    const seen = { model: steady(model), program, requests, runs, ...(hasRecourse && { incidents }), seconds };
    if (failure !== "process-dies") return seen;
    return { ...seen, next: steady((await caller.call("cancel_order", { order: 8 })).model) };
  } finally {
    await caller.close();
  }
}

/** A text without what differs by run: ids, and the pause of a breaker, which has a random part. */
function steady(text: string): string {
  return withoutIds(text).replace(/(was not sent\..* in )[\d.]+ (?:milli)?seconds?/, "$1… seconds");
}
