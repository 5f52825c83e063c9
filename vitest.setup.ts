import fc from "fast-check";
import { installTextFilter } from "./packages/faults/src/safety/pattern-filter.ts";

// CI gives the same answer for the same code; `RECOURSE_RUNS=100000 npx vitest run packages/faults/test/invariants --test-timeout=3600000` makes more runs, from a new seed each time.
if (process.env["CI"] !== undefined) fc.configureGlobal({ seed: 20_261_115 });

// Servers have the full text filter, and most tests are about what servers send.
installTextFilter();

// Test files share a process, and adapters of frameworks replace these classes for all of it. Each file begins with Node's own.
const shared = globalThis as { recourseTestGlobals?: Pick<typeof globalThis, "Request" | "Response"> };
shared.recourseTestGlobals ??= { Request, Response };
Object.assign(globalThis, shared.recourseTestGlobals);
