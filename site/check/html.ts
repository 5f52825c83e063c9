// Whether the pages are valid HTML.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CheckContext, CheckResult } from "./check.ts";
import { runTool } from "./run-tool.ts";

/** Rules that are off, each with the reason. */
const RULES_OFF: Readonly<Record<string, string>> = {
  "wcag/h32": "the field of the search has no button: Enter opens the first result, and results appear while you type",
};

/** What Starlight and its highlighter write, by the end of its selector. Our own markup may not have it. */
const NOT_OURS: readonly { readonly rule: string; readonly where: RegExp; readonly reason: string }[] = [
  {
    rule: "element-permitted-content",
    where: /pre > code > div(?::nth-child\(\d+\))?$|figure > div > button > div$/,
    reason: "the highlighter has a div for each line of code, and one in its button",
  },
  {
    rule: "no-implicit-button-type",
    where: /(?:figure > div|div > nav) > button$/,
    reason: "buttons outside of forms, which submit nothing",
  },
  { rule: "text-content", where: /figure > div > button$/, reason: "the button for copying has its name in title" },
  {
    rule: "unique-landmark",
    where: /starlight-toc > nav$/,
    reason: "the two lists of headings have one name; a width shows one of them, and axe looks at that one",
  },
];

/** What html-validate prints of a file. */
export interface HtmlReport {
  readonly filePath: string;
  readonly messages: readonly HtmlMessage[];
}

interface HtmlMessage {
  readonly ruleId: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly selector: string | null;
}

/** The problems of a report that are ours, one line for each sort and file. */
export function listProblems(reports: readonly HtmlReport[], folder: string): readonly string[] {
  const problems = reports.flatMap(({ filePath, messages }) =>
    messages
      .filter(
        ({ ruleId, selector }) => !NOT_OURS.some(({ rule, where }) => rule === ruleId && where.test(selector ?? "")),
      )
      .map(({ ruleId, message, line, selector }) => ({
        sort: `${relative(folder, filePath)}: ${ruleId}: ${message}`,
        place: `line ${line}, ${selector ?? ""}`,
      })),
  );
  const places = Map.groupBy(problems, ({ sort }) => sort);
  return [...places].map(([sort, [first, ...more]]) =>
    [sort, ` (${first?.place}`, more.length === 0 ? ")" : `, and ${more.length} more)`].join(""),
  );
}

/** Validates all pages. */
export async function checkHtml({ folder }: CheckContext): Promise<CheckResult> {
  const temporary = mkdtempSync(join(tmpdir(), "recourse-html-"));
  try {
    const config = join(temporary, "html-validate.json");
    const rules = Object.fromEntries(Object.keys(RULES_OFF).map((rule) => [rule, "off"]));
    const presets = ["html-validate:standard", "html-validate:a11y"];
    writeFileSync(config, JSON.stringify({ root: true, extends: presets, rules }));
    // It ends before a pipe has taken a long report.
    const report = join(temporary, "report.json");
    const args = ["--config", config, "--formatter", `json=${report}`, folder];
    const { stderr } = await runTool("html-validate/bin/html-validate.mjs", args);
    if (!existsSync(report)) throw new Error(`html-validate wrote no report: ${stderr.slice(-500)}`);
    const reports = JSON.parse(readFileSync(report, "utf8")) as readonly HtmlReport[];
    const pages = globSync("**/*.html", { cwd: folder });
    return { figures: `${pages.length} pages`, problems: listProblems(reports, folder) };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
