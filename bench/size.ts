// Prints what importing costs a user of the built packages, minified and gzipped, and fails above the budget.
import { bundle } from "@recourse/test-kit/bundle";

const BUDGETS: readonly { readonly what: string; readonly code: string; readonly maxBytes: number }[] = [
  {
    what: "everything of the root",
    code: `import * as all from "@recourse/faults"; globalThis.all = all;`,
    maxBytes: 77_500,
  },
  {
    what: "one reason",
    code: `import { core } from "@recourse/faults"; throw core.not_found({ what: "it" });`,
    maxBytes: 14_500,
  },
  {
    what: "toFault and render",
    code: `import { toFault, render } from "@recourse/faults"; globalThis.say = (e) => render(toFault(e), { for: "model" });`,
    maxBytes: 69_000,
  },
  {
    what: "one dialect (closient)",
    code: `import { closient } from "@recourse/faults/dialects"; globalThis.dialect = closient;`,
    maxBytes: 29_500,
  },
  {
    what: "guard",
    code: `import { guard } from "@recourse/faults/server"; globalThis.guard = guard;`,
    maxBytes: 107_000,
  },
  {
    what: "recourse and observeTransport",
    code: `import { recourse, observeTransport } from "@recourse/faults/client"; globalThis.kit = { recourse, observeTransport };`,
    maxBytes: 67_500,
  },
  {
    what: "everything of the proxy door",
    code: `import * as proxy from "@recourse/faults/proxy"; globalThis.proxy = proxy;`,
    maxBytes: 101_000,
  },
  {
    what: "createRetryEngine",
    code: `import { createRetryEngine } from "@recourse/faults/retry"; globalThis.engine = createRetryEngine;`,
    maxBytes: 24_500,
  },
  {
    what: "all dialects",
    code: `import * as dialects from "@recourse/faults/dialects"; globalThis.dialects = dialects;`,
    maxBytes: 66_500,
  },
  {
    what: "readFailure",
    code: `import { readFailure } from "@recourse/faults/explain"; globalThis.readFailure = readFailure;`,
    maxBytes: 145_000,
  },
];

for (const { what, code, maxBytes } of BUDGETS) {
  const { gzip, code: minified } = await bundle(code, { minify: true, from: "dist" });
  const over = gzip > maxBytes;
  if (over) process.exitCode = 1;
  console.log(`${what}: ${minified.length} bytes, ${gzip} gzipped, budget ${maxBytes}${over ? " EXCEEDED" : ""}`);
}
