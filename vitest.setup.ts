import { createRequire } from "node:module";
import fc from "fast-check";
import { afterAll } from "vitest";
import { installTextFilter } from "./packages/core/src/safety/full-search.ts";
import { unregisterAll } from "./packages/core/src/safety/secrets.ts";
import { endHints } from "./packages/core/src/server/development-hints.ts";
import { forgetWarnings } from "./packages/core/src/server/http/exchange.ts";

// CI gives the same answer for the same code; `RECOURSE_RUNS=100000 npx vitest run packages/core/test/invariants --test-timeout=3600000` makes more runs, from a new seed each time.
if (process.env["CI"] !== undefined) fc.configureGlobal({ seed: 20_261_115 });

// Servers have the full text filter, and most tests are about what servers send.
installTextFilter();

// Test files share a process, and what one leaves behind changes the next one.
const shared = globalThis as { recourseTestGlobals?: Pick<typeof globalThis, "Request" | "Response"> };
if (shared.recourseTestGlobals === undefined) {
  shared.recourseTestGlobals = { Request, Response };
  // undici measures all its limits with one timer, which ends with the last limit. It would never fire again after it had been started
  // while timers were fake, so it begins here and never ends.
  const timers = createRequire(import.meta.url)("undici/lib/util/timers.js") as {
    setFastTimeout(run: () => void, ms: number): unknown;
  };
  timers.setFastTimeout(() => {}, 2 ** 31 - 1);
}
// Adapters of frameworks replace these classes for the whole process.
Object.assign(globalThis, shared.recourseTestGlobals);
afterAll(() => {
  // Whatever loads a configuration registers its secrets for the whole process.
  unregisterAll();
  forgetWarnings();
  endHints();
});
