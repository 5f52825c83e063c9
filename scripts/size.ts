// Prints what a user pays, minified and gzipped, and fails above the budget.
import { bundle } from "../packages/faults/test/bundle.ts";

const BUDGETS: readonly { readonly what: string; readonly code: string; readonly maxBytes: number }[] = [
  {
    what: "everything of the root",
    code: `import * as all from "@recourse/faults"; globalThis.all = all;`,
    maxBytes: 56_000,
  },
  {
    what: "one reason",
    code: `import { core } from "@recourse/faults"; throw core.not_found({ what: "it" });`,
    maxBytes: 43_000,
  },
  {
    what: "toFault and render",
    code: `import { toFault, render } from "@recourse/faults"; globalThis.say = (e) => render(toFault(e), { for: "model" });`,
    maxBytes: 49_000,
  },
  {
    what: "one dialect (closient)",
    code: `import { closient } from "@recourse/faults/dialects"; globalThis.dialect = closient;`,
    maxBytes: 47_000,
  },
  {
    what: "guard",
    code: `import { guard } from "@recourse/faults/server"; globalThis.guard = guard;`,
    maxBytes: 70_000,
  },
  {
    what: "recourse and watch",
    code: `import { recourse, watch } from "@recourse/faults/client"; globalThis.kit = { recourse, watch };`,
    maxBytes: 95_000,
  },
  {
    what: "createEngine",
    code: `import { createEngine } from "@recourse/faults/retry"; globalThis.engine = createEngine;`,
    maxBytes: 55_000,
  },
  {
    what: "all dialects",
    code: `import * as dialects from "@recourse/faults/dialects"; globalThis.dialects = dialects;`,
    maxBytes: 80_000,
  },
];

for (const { what, code, maxBytes } of BUDGETS) {
  const { gzip, code: minified } = await bundle(code, { minify: true });
  const over = gzip > maxBytes;
  if (over) process.exitCode = 1;
  console.log(`${what}: ${minified.length} bytes, ${gzip} gzipped, budget ${maxBytes}${over ? " EXCEEDED" : ""}`);
}
