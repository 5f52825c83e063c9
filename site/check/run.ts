// Builds the website and checks it: npm run site:check [-- --only <check …>] [--folder <built site>] [--update] [--strict]
// [--slack <factor>]. README.md lists the checks.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChromium } from "@recourse/test-kit/chromium";
import type { Browser } from "playwright-core";
import { buildSite } from "../build/run.ts";
import { checkBudgets } from "./budgets.ts";
import type { CheckContext, SiteCheck } from "./check.ts";
import { checkHtml } from "./html.ts";
import { checkLighthouse } from "./lighthouse.ts";
import { checkLinks } from "./links.ts";
import { checkNames } from "./names.ts";
import { checkPages } from "./pages.ts";
import { checkPictures } from "./pictures.ts";
import { checkPlayground } from "./playground.ts";
import { checkSameBytes } from "./same-bytes.ts";
import { serveFolder } from "./serve.ts";

const CHECKS: Readonly<Record<string, SiteCheck>> = {
  links: checkLinks,
  html: checkHtml,
  names: checkNames,
  pages: checkPages,
  pictures: checkPictures,
  playground: checkPlayground,
  budgets: checkBudgets,
  lighthouse: checkLighthouse,
  "same-bytes": checkSameBytes,
};

/** How many problems of a check are printed. */
const MAX_PRINTED = 40;

/** Runs checks, prints a line for each, and returns the names of those that failed. */
async function runChecks(names: readonly string[], context: CheckContext): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const name of names) {
    const started = performance.now();
    const { figures, problems } = await runCheck(name, context);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${name}: ${figures} (${seconds} s)`);
    for (const problem of problems.slice(0, MAX_PRINTED)) console.log(`         ${problem}`);
    if (problems.length > MAX_PRINTED) console.log(`         … and ${problems.length - MAX_PRINTED} more`);
    if (problems.length > 0) failed.push(name);
  }
  return failed;
}

/** A check that stops halfway has failed; the others still run. */
async function runCheck(name: string, context: CheckContext) {
  try {
    const check = CHECKS[name];
    return check === undefined
      ? { figures: "unknown", problems: [`the checks are ${Object.keys(CHECKS).join(", ")}`] }
      : await check(context);
  } catch (error) {
    return { figures: "stopped", problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    folder: { type: "string" },
    slack: { type: "string", default: "1" },
    strict: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});
// `--only links html` gives the second name as a positional.
const asked = [...(values.only ?? []), ...positionals];

const temporary = mkdtempSync(join(tmpdir(), "recourse-site-"));
const folder = values.folder ?? join(temporary, "site");
const started = performance.now();
if (values.folder === undefined) await buildSite({ folder, isQuiet: true });
const buildMs = values.folder === undefined ? performance.now() - started : undefined;
if (buildMs !== undefined) console.log(`built in ${(buildMs / 1_000).toFixed(1)} s`);

const server = await serveFolder(folder);
let browser: Promise<Browser> | undefined;
try {
  const failed = await runChecks(asked.length === 0 ? Object.keys(CHECKS) : asked, {
    folder,
    address: server.address,
    buildMs,
    slack: Number(values.slack),
    isStrict: values.strict,
    updates: values.update,
    openBrowser() {
      browser ??= startChromium();
      return browser;
    },
    async buildAgain() {
      const again = join(temporary, "again");
      await buildSite({ folder: again, isQuiet: true });
      return again;
    },
  });
  if (failed.length > 0) {
    console.log(`failed: ${failed.join(", ")}`);
    process.exitCode = 1;
  }
} finally {
  await (await browser)?.close();
  await server.close();
  rmSync(temporary, { recursive: true, force: true });
}
