import { isObject, type JsonObject, toPointer } from "@recourse/core/wire";
import type { CliOutcome, Io, OptionValues, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo, padTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { createProgress, createTerminal, progressMode } from "../terminal/terminal.ts";
import { type Implementation, startImplementation } from "./implementation.ts";
import { CONFORMANCE_LEVELS, type Level } from "./levels.ts";
import { loadVectors, type Vector } from "./vectors.ts";

/** Requests under way at once. */
const REQUESTS_AT_ONCE = 8;
const ANSWER_TIMEOUT_S = 10;
/** After so many requests without an answer the program is not asked any more. */
const MAX_UNANSWERED = 5;
const MAX_SHOWN_VECTORS = 20;
const EXAMPLE = "recourse conformance run -- python3 -m recourse_faults.door";

/** A value that differs from the expected one. */
export interface ValueDifference {
  /** JSON Pointer into the compared value. */
  readonly pointer: string;
  /** Absent if nothing is expected there. */
  readonly expected?: unknown;
  /** Absent if nothing is there. */
  readonly received?: unknown;
}

/** A vector that an implementation does not pass. */
interface FailedVector {
  readonly id: string;
  readonly about: string;
  readonly level: Level;
  /** Why there is nothing to compare. */
  readonly problem?: string;
  readonly differences: readonly ValueDifference[];
}

/** How far an implementation is at one level. */
interface LevelReport {
  readonly claimed: boolean;
  readonly passed: number;
  readonly failed: number;
}

/** What `recourse conformance run --json` writes. */
export interface ConformanceReport {
  readonly name: string;
  readonly version: string;
  readonly levels: Readonly<Record<Level, LevelReport>>;
  readonly failed: readonly FailedVector[];
  /** The first lines that the program wrote on stdout and that answer nothing. */
  readonly strays: readonly string[];
}

/** `recourse conformance`. */
export async function runConformance({ positionals, options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [action, command, ...args] = positionals;
  if (action !== "run" || command === undefined)
    return { failure: usageFailure("Name the program that answers the requests, behind --.", EXAMPLE) };
  const timeoutS = Number(textOption(options, "timeout") ?? ANSWER_TIMEOUT_S);
  if (!(timeoutS > 0 && timeoutS <= 600))
    return { failure: usageFailure("--timeout is a number of seconds, at most 600.", EXAMPLE) };
  const level = textOption(options, "level");
  const only = textOption(options, "only");
  const vectors = loadVectors().filter(
    (one) => (level === undefined || one.level === level) && (only === undefined || one.id.startsWith(only)),
  );
  if (vectors.length === 0) return { failure: usageFailure("No vector has an id that begins so.", EXAMPLE) };
  const env = Object.fromEntries(
    Object.entries(io.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const started = { command, args, env, cwd: io.cwd, signal: io.signal, timeoutMs: timeoutS * 1_000 };
  const program = startImplementation(started);
  try {
    const hello = await readHello(program);
    if (typeof hello === "string") {
      const said = program.stderr().trim().split("\n").at(-1) ?? "";
      const message = `The program does not answer the first request: ${hello}${said === "" ? "" : ` It wrote: ${printableLine(said)}`}`;
      return { failure: { exit: "unreachable", code: "no-answer", message, fix: "recourse help conformance" } };
    }
    const progress = createProgress(io.stderr, progressMode(io.stderr, options));
    const claimed = vectors.filter((one) => hello.levels.includes(one.level));
    const failed = await judgeVectors(program, claimed, (done) => progress.step(`${done} of ${claimed.length}`));
    progress.done();
    const report = buildConformanceReport({ hello, vectors: claimed, failed, strays: program.strays });
    if (options["json"] === true) writeJson(io.stdout, report);
    else io.stdout.write(conformanceText(report, { io, options }));
    return { exit: failed.length > 0 || claimed.length === 0 ? "findings" : "ok" };
  } finally {
    await program.stop();
  }
}

/** What a program says about itself. */
interface Hello {
  readonly name: string;
  readonly version: string;
  readonly levels: readonly string[];
}

async function readHello(program: Implementation): Promise<Hello | string> {
  const answer = await program.ask({ do: "hello", v: 1 });
  if (typeof answer === "string") return answer;
  const { name, version, levels } = answer;
  if (typeof name !== "string" || typeof version !== "string" || !Array.isArray(levels))
    return "The answer needs name, version and levels.";
  const unknown = levels.find((one) => typeof one !== "string" || !Object.hasOwn(CONFORMANCE_LEVELS, one)) as unknown;
  if (unknown !== undefined)
    return `There is no level ${JSON.stringify(unknown)}; there are ${Object.keys(CONFORMANCE_LEVELS).join(", ")}.`;
  return { name, version, levels: levels as readonly string[] };
}

async function judgeVectors(
  program: Implementation,
  vectors: readonly Vector[],
  onDone: (count: number) => void,
): Promise<readonly FailedVector[]> {
  const failed: FailedVector[] = [];
  let next = 0;
  let unanswered = 0;
  const worker = async (): Promise<void> => {
    for (let vector = vectors[next++]; vector !== undefined; vector = vectors[next++]) {
      const answer = unanswered < MAX_UNANSWERED ? await program.ask(vector.request) : "It was not asked any more.";
      if (typeof answer === "string") unanswered += 1;
      const verdict = judgeVector(vector, answer);
      if (verdict !== undefined) failed.push(verdict);
      onDone(Math.min(next, vectors.length));
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, worker));
  const order = new Map(vectors.map(({ id }, at) => [id, at]));
  return failed.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}

/** What is wrong with an answer; undefined if it is right. */
export function judgeVector(vector: Vector, answer: JsonObject | string): FailedVector | undefined {
  const { id, about, level } = vector;
  const [member, expected] = vector.answer;
  if (typeof answer === "string") return { id, about, level, problem: answer, differences: [] };
  const problem = answerProblem(answer, member);
  if (problem !== undefined) return { id, about, level, problem, differences: [] };
  const differences = compareValues(expected, answer[member]).filter((one) => !isStricterFilter(vector, one));
  return differences.length === 0 ? undefined : { id, about, level, differences };
}

function answerProblem(answer: JsonObject, member: string): string | undefined {
  if (answer["unsupported"] === true) return "It does not support this request, although it claims the level.";
  if (answer["error"] !== undefined) return `It failed: ${printableLine(String(answer["error"])).slice(0, 200)}`;
  return member in answer ? undefined : `The answer has no member ${member}.`;
}

/** Each implementation filters texts by its own rules, so a quotation that was read may be missing. */
function isStricterFilter({ request }: Vector, { pointer, received }: ValueDifference): boolean {
  return request.do === "decode" && received === undefined && /(?:^|\/cause)\/quote$/.test(pointer);
}

/** Where two JSON values differ. The order of members does not matter. */
export function compareValues(expected: unknown, received: unknown, path: readonly string[] = []): ValueDifference[] {
  if (Object.is(expected, received)) return [];
  const isList = Array.isArray(expected) && Array.isArray(received);
  const isPair = isList || (isObject(expected) && isObject(received));
  if (!isPair) {
    const values = { ...(expected !== undefined && { expected }), ...(received !== undefined && { received }) };
    return [{ pointer: toPointer(path), ...values }];
  }
  const [before, after] = [expected as JsonObject, received as JsonObject];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => compareValues(before[name], after[name], [...path, name]));
}

interface Judged {
  readonly hello: Hello;
  readonly vectors: readonly Vector[];
  readonly failed: readonly FailedVector[];
  readonly strays: readonly string[];
}

function buildConformanceReport({ hello, vectors, failed, strays }: Judged): ConformanceReport {
  const levels = Object.keys(CONFORMANCE_LEVELS).map((name) => {
    const level = name as Level;
    const wrong = failed.filter((one) => one.level === level).length;
    const asked = vectors.filter((one) => one.level === level).length;
    return [level, { claimed: hello.levels.includes(level), passed: asked - wrong, failed: wrong }] as const;
  });
  const { name, version } = hello;
  return { name, version, levels: Object.fromEntries(levels) as ConformanceReport["levels"], failed, strays };
}

function conformanceText(
  { name, version, levels, failed, strays }: ConformanceReport,
  { io, options }: { readonly io: Io; readonly options: OptionValues },
): string {
  const { styles, symbols, width } = createTerminal(io.stdout, io.env, options);
  const lines = [styles.bold(printableLine(`${name} ${version}`)), ""];
  for (const [level, { claimed, passed, failed: wrong }] of Object.entries(levels)) {
    const mark = !claimed ? " " : wrong > 0 ? styles.red(symbols.cross) : styles.green(symbols.tick);
    const count = claimed ? `${passed} of ${passed + wrong}` : "not claimed";
    lines.push(`${mark} ${padTo(level, 9)} ${padTo(count, 12)} ${styles.dim(CONFORMANCE_LEVELS[level as Level])}`);
  }
  for (const { id, about, problem, differences } of failed.slice(0, MAX_SHOWN_VECTORS)) {
    lines.push("", `${styles.red(symbols.cross)} ${styles.bold(id)}  ${about}`);
    if (problem !== undefined) lines.push(`  ${problem}`);
    for (const { pointer, ...values } of differences.slice(0, 5)) {
      const shown = (value: unknown) => cutTo(value === undefined ? "nothing" : JSON.stringify(value), width - 14);
      lines.push(`  ${pointer === "" ? "(the whole value)" : pointer}`);
      lines.push(`    expected  ${shown(values.expected)}`, `    received  ${printableLine(shown(values.received))}`);
    }
  }
  if (failed.length > MAX_SHOWN_VECTORS)
    lines.push("", `… and ${failed.length - MAX_SHOWN_VECTORS} more; --json has all of them.`);
  if (strays.length > 0)
    lines.push("", `On stdout stood what answers nothing: ${strays.map((one) => printableLine(one)).join(" | ")}`);
  return `${lines.join("\n")}\n`;
}
