// Prints what importing costs a user of the built packages, minified and gzipped, without what loads later. It fails above the budget, and if
// docs/guide/entry-points.md says another size.
import { readFileSync } from "node:fs";
import { bundle } from "@recourse/test-kit/bundle";

interface Budget {
  readonly what: string;
  readonly code: string;
  readonly maxBytes: number;
  /** The entry point whose size the page gives. @default the page does not give this size */
  readonly shownAs?: string;
}

const BUDGETS: readonly Budget[] = [
  {
    what: "everything of the root",
    code: `import * as all from "@recourse/faults"; globalThis.all = all;`,
    maxBytes: 21_300,
    shownAs: "@recourse/faults",
  },
  {
    what: "one reason",
    code: `import { core } from "@recourse/faults/reasons"; throw core.not_found({ what: "it" });`,
    maxBytes: 15_000,
  },
  {
    what: "toFault and render",
    code: `import { render } from "@recourse/faults";
import { toFault } from "@recourse/faults/server"; globalThis.say = async (e) => render(await toFault(e), { for: "model" });`,
    maxBytes: 23_300,
  },
  {
    what: "one dialect (closient)",
    code: `import { closient } from "@recourse/dialects/closient"; globalThis.dialect = closient;`,
    maxBytes: 24_000,
  },
  {
    what: "guard",
    code: `import { guard } from "@recourse/faults/server"; globalThis.guard = guard;`,
    maxBytes: 43_000,
    shownAs: "@recourse/faults/server",
  },
  {
    what: "recourse and observeTransport",
    code: `import { recourse, observeTransport } from "@recourse/faults/client"; globalThis.kit = { recourse, observeTransport };`,
    maxBytes: 34_000,
    shownAs: "@recourse/faults/client",
  },
  {
    what: "everything of the proxy door",
    code: `import * as proxy from "@recourse/core/proxy"; globalThis.proxy = proxy;`,
    maxBytes: 64_100,
  },
  {
    what: "createRetryEngine",
    code: `import { createRetryEngine } from "@recourse/core/retry"; globalThis.engine = createRetryEngine;`,
    maxBytes: 39_900,
  },
  {
    what: "all dialects",
    code: `import * as dialects from "@recourse/faults/dialects"; globalThis.dialects = dialects;`,
    maxBytes: 50_800,
    shownAs: "@recourse/faults/dialects",
  },
  {
    what: "readFailure",
    code: `import { readFailure } from "@recourse/explain"; globalThis.readFailure = readFailure;`,
    maxBytes: 114_800,
  },
];

const page = readFileSync(new URL("../docs/guide/entry-points.md", import.meta.url), "utf8");
const ROW = /^\| `(@recourse\/\S+)` \| .+ \| (\d+) \|$/gm;
const shownSizes = new Map([...page.matchAll(ROW)].map(([, entry, kB]) => [entry, Number(kB) * 1_000]));
/** How far a size of the page may be from the measured one: it is rounded, and not worth a change for every byte. */
const MAX_DIFFERENCE = 1_000;

for (const { what, code, maxBytes, shownAs } of BUDGETS) {
  const { gzip, code: minified } = await bundle(code, { minify: true, from: "dist" });
  const isOver = gzip > maxBytes;
  const shown = shownAs === undefined ? gzip : (shownSizes.get(shownAs) ?? 0);
  const isWrong = Math.abs(gzip - shown) > MAX_DIFFERENCE;
  if (isOver || isWrong) process.exitCode = 1;
  console.log(`${what}: ${minified.length} bytes, ${gzip} gzipped, budget ${maxBytes}${isOver ? " EXCEEDED" : ""}`);
  if (isWrong) console.log(`docs/guide/entry-points.md says ${shown / 1_000} kB for ${shownAs}`);
}
