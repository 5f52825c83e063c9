// Rules for workflows, beyond what actionlint knows: what they may do, and whose code they run.
import { parse } from "yaml";

/** Where the workflows are. */
export const WORKFLOWS = ".github/workflows/*.yml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly "timeout-minutes"?: number;
  readonly container?: { readonly image?: string };
  readonly secrets?: unknown;
  readonly uses?: string;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on?: Readonly<Record<string, unknown>> | string | readonly string[];
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group?: string };
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly jobs?: Readonly<Record<string, Job>>;
}

/** A commit, with the version that it is in a comment, so that people and tools can move it. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+){1,2}$/;
/** Events that run the code of strangers with rights of the repository. */
const FORBIDDEN_EVENTS = ["pull_request_target", "workflow_run", "issue_comment"];
/** Jobs without a limit run for six hours. */
const MAX_MINUTES = 350;

/** Everything that is wrong with a workflow. */
export function workflowProblems(file: string, text: string): readonly string[] {
  const workflow = parse(text) as Workflow;
  const events = eventsOf(workflow);
  return [
    ...topProblems(workflow, events),
    ...usesProblems(text),
    ...Object.entries(workflow.jobs ?? {}).flatMap(([name, job]) =>
      jobProblems(job, events).map((problem) => `${name}: ${problem}`),
    ),
  ].map((problem) => `${file}: ${problem}`);
}

function eventsOf({ on = {} }: Workflow): readonly string[] {
  if (typeof on === "string") return [on];
  return Array.isArray(on) ? (on as readonly string[]) : Object.keys(on);
}

function topProblems(workflow: Workflow, events: readonly string[]): readonly string[] {
  const problems = events.filter((one) => FORBIDDEN_EVENTS.includes(one)).map((one) => `${one} is not allowed`);
  if (JSON.stringify(workflow.permissions) !== "{}") problems.push("permissions at the top must be {}");
  if (workflow.concurrency?.group === undefined) problems.push("concurrency has no group");
  if (workflow.defaults?.run?.shell !== "bash")
    problems.push("defaults.run.shell must be bash, which stops at failures in pipes");
  return problems;
}

/** The text is read by lines, since comments count. */
function usesProblems(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => /^\s*(?:- )?uses:/.test(line))
    .filter((line) => !PINNED.test(line) && !/uses: \.\//.test(line))
    .map((line) => `not a commit with its version: ${line.trim()}`);
}

function jobProblems(job: Job, events: readonly string[]): readonly string[] {
  const { permissions, steps = [] } = job;
  const problems = steps.flatMap(stepProblems);
  if (typeof permissions !== "object") problems.push("needs permissions of its own, each by name");
  else if (events.includes("pull_request") && Object.values(permissions).includes("write"))
    problems.push("a workflow for pull requests may not write");
  if (job.uses === undefined && !((job["timeout-minutes"] ?? Number.POSITIVE_INFINITY) <= MAX_MINUTES))
    problems.push(`needs timeout-minutes, at most ${MAX_MINUTES}`);
  if (job.container !== undefined && !/@sha256:[0-9a-f]{64}$/.test(job.container.image ?? ""))
    problems.push("the image of its container has no digest");
  if (job.secrets !== undefined) problems.push("passes secrets on");
  return problems;
}

function stepProblems({ uses = "", run = "", with: options = {} }: Step): string[] {
  const problems: string[] = [];
  if (run.includes("${{")) problems.push("an expression inside of a script: pass it as a variable");
  if (/\bnpm (?:ci|install|i)\b(?!.*--ignore-scripts)/.test(run))
    problems.push("npm installs without --ignore-scripts");
  if (uses.startsWith("actions/checkout@") && options["persist-credentials"] !== false)
    problems.push("checkout must not keep its token: persist-credentials: false");
  return problems;
}
