import fc from "fast-check";
import { installTextFilter } from "./packages/faults/src/safety/foreign-text.ts";

// CI gives the same answer for the same code; `npm run invariants` makes more runs, from a new seed each time.
if (process.env["CI"] !== undefined) fc.configureGlobal({ seed: 20_261_115 });

// Servers have the full text filter, and most tests are about what servers send.
installTextFilter();
