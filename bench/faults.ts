// Speed of the library's heart, its import time and its size, in one run on the built package.
// Run with `npm run bench -- faults`: plain Node, since a test runner's module loader distorts small figures.
import { execFileSync } from "node:child_process";
import { defineReasons, fail, readFault, render, slot } from "@recourse/core";
import { core, toFault } from "@recourse/core/reasons";
import { bench, do_not_optimize, run, summary } from "mitata";

const gtin = defineReasons("gtin", {
  no_rule: {
    kind: "not_found",
    text: "No rule resolves {gtin}.",
    slots: { gtin: slot.pattern(/^\d{8,14}$/, { bare: true }) },
  },
});
const channel = "general";
const thrown = new Error("connect ECONNREFUSED 10.0.0.5:5432");
const reason = gtin.no_rule({ gtin: "00614141123452" });
const wire = JSON.parse(JSON.stringify(reason.fault)) as unknown;
let turn = 0;
/** A sentence that is new to the filters: they remember texts that passed. */
const fresh = () =>
  `Channel "room ${turn++ % 100_000}" was not found. Call list_channels to see the channels that exist.`;
const sentence = 'Channel "general" was not found. Call list_channels to see the channels that exist.';

summary(() => {
  bench("build a fault (reason.fault)", () => do_not_optimize(gtin.no_rule.fault({ gtin: "00614141123452" })));
  bench("build a fault without params", () => do_not_optimize(core.internal.fault()));
  bench("build and throwable (reason)", () => do_not_optimize(gtin.no_rule({ gtin: "00614141123452" })));
  bench("fail`…` with one text value", () => do_not_optimize(fail.not_found`No channel ${channel}.`));
  bench("toFault of a thrown Error", () => do_not_optimize(toFault(thrown)));
  bench("toFault of a thrown Error, quoted", () =>
    do_not_optimize(toFault(new Error(sentence), { foreignText: "quote" })),
  );
  bench("toFault of a reason", () => do_not_optimize(toFault(reason)));
  bench("readFault of a parsed fault", () => do_not_optimize(readFault(wire)));
  bench("toFault of an Error with a new sentence, quoted", () =>
    do_not_optimize(toFault(new Error(fresh()), { foreignText: "quote" })),
  );
  bench("render for a model", () => do_not_optimize(render(reason.fault, { for: "model" })));
});
await run({ colors: false });

/** Median wall time of importing a module in a fresh process, less that of an empty one. */
function importTime(specifier: string): string {
  const once = (code: string) => {
    const start = process.hrtime.bigint();
    execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: import.meta.dirname });
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  const median = (code: string) => Array.from({ length: 15 }, () => once(code)).sort((a, b) => a - b)[7] ?? 0;
  return `${(median(`await import("${specifier}")`) - median("")).toFixed(1)} ms`;
}
console.log(`import of @recourse/faults: ${importTime("@recourse/faults")}`);
console.log(`import of @recourse/explain: ${importTime("@recourse/explain")}`);
