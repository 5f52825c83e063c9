import fc from "fast-check";

// CI gives the same answer for the same code; `npm run invariants` makes more runs, from a new seed each time.
if (process.env["CI"] !== undefined) fc.configureGlobal({ seed: 20_261_115 });
