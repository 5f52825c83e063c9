// Scores of Lighthouse for a phone. A busy machine lowers the score of performance, so that one counts only with --strict.
import { CHROMIUM } from "@recourse/test-kit/chromium";
import type { CheckContext, CheckResult } from "./check.ts";
import { PAGES, type PageName } from "./looks.ts";
import { runTool } from "./run-tool.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** Scores from 0 to 100. */
export type Scores = Readonly<Record<Category, number>>;

/** The least score of performance; all others have to be 100. */
const MIN_PERFORMANCE = { landing: 95, guide: 95, playground: 85 } as const satisfies Partial<Record<PageName, number>>;
type MeasuredPage = keyof typeof MIN_PERFORMANCE;

/** Audits that a page cannot pass, with the reason. */
const AUDITS_OFF: Partial<Record<MeasuredPage, Readonly<Record<string, string>>>> = {
  playground: {
    "robots-txt": "Lighthouse asks for robots.txt from within the page, whose policy lets nothing be asked",
  },
};

interface LighthouseReport {
  readonly categories: Readonly<
    Record<
      Category,
      { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<
    Record<string, { readonly id: string; readonly title: string; readonly score: number | null }>
  >;
}

/** Which scores are too low. */
export function findLowScores(
  page: MeasuredPage,
  scores: Scores,
  options: { readonly isStrict: boolean },
): readonly Category[] {
  return CATEGORIES.filter((category) =>
    category === "performance"
      ? options.isStrict && scores.performance < MIN_PERFORMANCE[page]
      : scores[category] < 100,
  );
}

async function measure(url: string, auditsOff: readonly string[]): Promise<LighthouseReport> {
  const args = [
    url,
    "--quiet",
    "--output=json",
    "--no-enable-error-reporting",
    `--only-categories=${CATEGORIES.join(",")}`,
    ...(auditsOff.length === 0 ? [] : [`--skip-audits=${auditsOff.join(",")}`]),
    "--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage --disable-gpu --disable-background-networking",
  ];
  const { stdout, stderr } = await runTool("lighthouse/cli/index.js", args, { CHROME_PATH: CHROMIUM ?? "" });
  if (!stdout.startsWith("{")) throw new Error(`Lighthouse printed no report: ${stderr.slice(-500)}`);
  return JSON.parse(stdout) as LighthouseReport;
}

/** The audits that lower a score. */
function listFailedAudits({ categories, audits }: LighthouseReport, category: Category): readonly string[] {
  return categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} (${audits[id]?.title})`);
}

/** Measures three pages. */
export async function checkLighthouse({ address, isStrict }: CheckContext): Promise<CheckResult> {
  const figures: string[] = [];
  const problems: string[] = [];
  for (const name of Object.keys(MIN_PERFORMANCE) as MeasuredPage[]) {
    const report = await measure(`${address}${PAGES[name]}`, Object.keys(AUDITS_OFF[name] ?? {}));
    const scores = Object.fromEntries(
      CATEGORIES.map((category) => [category, Math.round(report.categories[category].score * 100)]),
    ) as unknown as Scores;
    figures.push(`${name} ${CATEGORIES.map((category) => scores[category]).join("/")}`);
    for (const category of findLowScores(name, scores, { isStrict }))
      problems.push(`${name}: ${category} ${scores[category]}: ${listFailedAudits(report, category).join(", ")}`);
  }
  return { figures: `${CATEGORIES.join("/")}: ${figures.join(", ")}`, problems };
}
