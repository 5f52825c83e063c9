// Checks what runs and releases Recourse: node --conditions=@recourse/source deploy/check.ts [part …]. Without a name: files.
//
//   files    manifests for Kubernetes and workflows; needs packages of npm only
//   rules    alerts, their tests and their runbooks; promtool and amtool of Debian
//   alerts   gateways in the states of the alerts, with a Prometheus that fires them and the commands of the runbooks
//   image, stack, upgrade: the image, the compose file, two versions on one database
import { checkFiles } from "./check/files.ts";
import { checkImage } from "./check/image.ts";
import type { CheckResult, DeployPart } from "./check/part.ts";
import { checkAlerts, checkRules } from "./check/rules.ts";
import { checkStack } from "./check/stack.ts";
import { checkUpgrade } from "./check/upgrade.ts";

const PARTS: Readonly<Record<string, DeployPart>> = {
  files: checkFiles,
  rules: checkRules,
  alerts: checkAlerts,
  image: checkImage,
  stack: checkStack,
  upgrade: checkUpgrade,
};

/** How many problems of a check are printed. */
const MAX_PRINTED = 20;

function describe(result: CheckResult): string {
  switch (result.outcome) {
    case "passed":
      return `ok       ${result.name}`;
    case "not run":
      return `not run  ${result.name}: ${result.why}`;
    case "failed": {
      const left = result.problems.length - MAX_PRINTED;
      const lines = [...result.problems.slice(0, MAX_PRINTED), ...(left > 0 ? [`… and ${left} more`] : [])];
      return [`FAILED   ${result.name}`, ...lines.map((line) => `           ${line}`)].join("\n");
    }
    default:
      throw new Error(`an outcome that is not known: ${JSON.stringify(result satisfies never)}`);
  }
}

const names = process.argv.length > 2 ? process.argv.slice(2) : ["files"];
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
const totals = { passed: 0, failed: 0, "not run": 0 };
for (const name of names) {
  const started = performance.now();
  const results = (await PARTS[name]?.()) ?? [];
  for (const result of results) {
    console.log(describe(result));
    totals[result.outcome] += 1;
  }
  console.log(`${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}
const left = totals["not run"] > 0 ? `, ${totals["not run"]} not run` : "";
console.log(`${totals.passed} passed, ${totals.failed} failed${left}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
