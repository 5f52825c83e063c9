import { basename, resolve } from "node:path";
import { arrayAt, LATEST_HANDSHAKE_REVISION, LATEST_REVISION, objectAt } from "@recourse/core/wire";
import { findMarkedProcesses, START_MARK_NAME } from "../platform/left-behind.ts";
import type { EraRevision } from "../recording/recording.ts";
import { durationText, listNames, plural } from "../terminal/wording.ts";
import {
  converse,
  type ProgramConversation,
  type ProgramEnd,
  type ProgramObservation,
  type ProgramReply,
} from "./conversation.ts";
import {
  type CauseFinding,
  type Diagnosis,
  type DoctorContext,
  type Journal,
  quoteLine,
  reportCause,
  startJournal,
} from "./diagnosis.ts";
import { findAlias, findCommand, findEngines, findScript, folderExists } from "./find-command.ts";
import { judgeVersion } from "./judge-answer.ts";
import { describeEnding, judgeEnding } from "./judge-ending.ts";
import { judgeSilence, judgeStart, judgeStdout } from "./judge-start.ts";
import {
  describeRefusal,
  eraRequest,
  type Greeting,
  greetingText,
  handshakeRequest,
  INITIALIZED,
  readGreeting,
} from "./requests.ts";

/** A program that should be an MCP server on stdio. */
export interface ProgramTarget {
  readonly command: readonly [string, ...string[]];
  /** The folder in which it starts. */
  readonly folder: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that this process has and the program does not get. */
  readonly withheld?: ReadonlySet<string>;
  /** The home folder of the user, where shells keep aliases. @default aliases are not looked for */
  readonly home?: string;
  /** Whether it stands in the configuration file of a host. @default false */
  readonly inFile?: boolean;
}

/** Finds out why a program does not work as an MCP server, step by step, and stops at the first broken one. */
export async function diagnoseProgram(target: ProgramTarget, context: DoctorContext): Promise<Diagnosis> {
  const journal = startJournal({ transport: "stdio", command: target.command }, context);
  const mark = context.createId();
  const doctor: ProgramDoctor = {
    target: { ...target, folder: resolve(target.folder), env: { ...target.env, [START_MARK_NAME]: mark } },
    context,
    journal,
  };
  const diagnosis = await runDoctorSteps(doctor);
  const left = await findMarkedProcesses(mark);
  if (left.length === 0) return diagnosis;
  const names = left.map(({ pid, name }) => `${quoteLine(name, 40)} (process ${pid})`);
  const note = reportCause({
    id: "D55",
    saw: `After the stop ${listNames(names, 4)} still ${left.length === 1 ? "runs" : "run"}.`,
    code: `kill ${left.map(({ pid }) => pid).join(" ")}`,
  });
  return { ...diagnosis, notes: [...diagnosis.notes, note] };
}

async function runDoctorSteps(doctor: ProgramDoctor): Promise<Diagnosis> {
  const { journal } = doctor;
  const misplaced = judgeStart(observe(doctor));
  if (misplaced !== undefined) return journal.broken("command", misplaced);
  const older = await tryOlderEra(doctor);
  if ("diagnosis" in older) return older.diagnosis;
  const broken = await tryNewerEra(doctor, older);
  if (broken !== undefined) return broken;
  if (older.stopped !== undefined) journal.pass("stop", howItStopped(older.stopped));
  return journal.ready();
}

const DOWNLOADERS = /^(?:npx|bunx|pnpx|uvx|pipx|docker|podman)(?:\.\w+)?$/i;

/** How to start sooner. Only some commands may be downloading something. */
function hasteFor(command = ""): string {
  return DOWNLOADERS.test(basename(command))
    ? "Install it first instead of downloading it at the start, or raise the start limit of the host."
    : "Answer initialize first and do slow work after it, or raise the start limit of the host.";
}

interface ProgramDoctor {
  readonly target: ProgramTarget;
  readonly context: DoctorContext;
  readonly journal: Journal;
}

/** How the older era went: over, agreed on, or refused with a JSON-RPC error. */
type OlderEra = { readonly diagnosis: Diagnosis } | OlderEraResult;

interface OlderEraResult {
  /** How long the first answer took. */
  readonly answerMs: number;
  /** What the server said about itself, if it agreed. */
  readonly greeting?: Greeting;
  /** How it refused, if it did. */
  readonly refusal?: string;
  /** Whether it refused because of the version. */
  readonly unknown?: CauseFinding;
  readonly stopped?: ProgramEnd;
}

async function tryOlderEra(doctor: ProgramDoctor): Promise<OlderEra> {
  const { context, journal } = doctor;
  return withProgram(doctor, async (talk) => {
    const broken = (name: Parameters<Journal["broken"]>[0], finding: CauseFinding) => ({
      diagnosis: journal.broken(name, finding),
    });
    const seen = () => observe(doctor, talk);
    const startError = await talk.startError;
    if (startError !== undefined) {
      const finding = judgeStart({ ...seen(), startError }) ?? { id: "D43", saw: startError };
      if (finding.id === "D1") return broken("command", finding);
      passCommand(doctor);
      return broken("start", finding);
    }
    passCommand(doctor);
    const reply = await sendHandshake(doctor, talk, LATEST_HANDSHAKE_REVISION, context.timeoutMs);
    if (reply.kind === "ended") return broken("start", judgeEnding({ ...seen(), ended: reply.ended }));
    journal.pass("start", "it runs");
    if (reply.kind === "silent") return broken("first line", judgeSilence({ ...seen(), waitedMs: reply.ms }));
    const dirty = judgeStdout(seen());
    if (dirty !== undefined) return broken("first line", dirty);
    journal.pass("first line", `a JSON-RPC message after ${durationText(reply.ms)}`);
    if (reply.ms > context.waits.slowMs)
      journal.note({
        id: "D14",
        saw: `The first answer took ${durationText(reply.ms)}. Many hosts give up after 10 to 60 seconds.`,
        fix: hasteFor(doctor.target.command[0]),
      });
    const greeting = readGreeting(reply.message, LATEST_HANDSHAKE_REVISION);
    const unknown = judgeVersion(reply.message, LATEST_HANDSHAKE_REVISION);
    if (greeting === undefined)
      return {
        answerMs: reply.ms,
        refusal: describeRefusal(reply.message),
        ...(unknown !== undefined && { unknown }),
      };
    if (unknown !== undefined) return broken(LATEST_HANDSHAKE_REVISION, unknown);
    journal.speaks(LATEST_HANDSHAKE_REVISION, greeting.server);
    journal.pass(LATEST_HANDSHAKE_REVISION, greetingText(greeting));
    talk.notify(INITIALIZED);
    const unlisted = await listOverStdio(doctor, talk, { revision: LATEST_HANDSHAKE_REVISION, greeting });
    if (unlisted !== undefined) return broken("list", unlisted);
    const ended = await talk.end(context.waits.settleMs);
    if (ended !== undefined) return broken("list", endedLater({ ...seen(), ended }));
    const later = judgeStdout(seen());
    if (later !== undefined) return broken("list", later);
    return { answerMs: reply.ms, greeting, stopped: await talk.stop() };
  });
}

/** Starts the program a second time: the first message decides which era a program speaks. */
async function tryNewerEra(doctor: ProgramDoctor, older: OlderEraResult): Promise<Diagnosis | undefined> {
  const { context, journal } = doctor;
  const works = older.greeting !== undefined;
  return withProgram(doctor, async (talk) => {
    const ms = works ? Math.min(context.timeoutMs, context.waits.secondEraMs + 3 * older.answerMs) : context.timeoutMs;
    const reply = await sendHandshake(doctor, talk, LATEST_REVISION, ms);
    const greeting = reply.kind === "response" ? readGreeting(reply.message, LATEST_REVISION) : undefined;
    if (greeting !== undefined) {
      journal.speaks(LATEST_REVISION, greeting.server);
      journal.pass(LATEST_REVISION, greetingText(greeting));
      const unlisted = await listOverStdio(doctor, talk, { revision: LATEST_REVISION, greeting, quiet: works });
      if (unlisted !== undefined) return journal.broken("list", unlisted);
      if (!works) journal.note({ id: "D36", saw: `"initialize" is refused: ${quoteLine(older.refusal ?? "")}` });
      return undefined;
    }
    const refusal = reply.kind === "response" ? quoteLine(describeRefusal(reply.message)) : "no answer";
    const unknown = reply.kind === "response" ? judgeVersion(reply.message, LATEST_REVISION) : undefined;
    if (!works)
      return journal.broken(
        LATEST_REVISION,
        older.unknown ??
          unknown ?? {
            id: "D44",
            saw: `Both handshakes are refused: ${quoteLine(older.refusal ?? "")}, and ${refusal}.`,
          },
      );
    if (reply.kind === "ended") {
      journal.skip(
        LATEST_REVISION,
        `could not be tried: ${describeEnding({ ...observe(doctor, talk), ended: reply.ended })}`,
      );
      return undefined;
    }
    journal.skip(LATEST_REVISION, `not spoken (${refusal})`);
    journal.note({ id: "D35", saw: "It speaks the older era only, up to 2025-11-25." });
    return undefined;
  });
}

/** Starts the program, and ends it whatever happens. */
async function withProgram<T>(
  { target, context }: ProgramDoctor,
  use: (talk: ProgramConversation) => Promise<T>,
): Promise<T> {
  const [command, ...args] = target.command;
  const talk = converse({
    command,
    args,
    env: target.env,
    cwd: target.folder,
    signal: context.signal,
    now: context.now,
    onStderrLine: context.onStderrLine,
    waits: context.waits,
  });
  try {
    const result = await use(talk);
    context.signal.throwIfAborted();
    return result;
  } finally {
    await talk.stop();
  }
}

/** Sends a handshake, and says every second how long it waits. */
async function sendHandshake(
  doctor: ProgramDoctor,
  talk: ProgramConversation,
  revision: EraRevision,
  ms: number,
): Promise<ProgramReply> {
  const { now, onProgress, signal } = doctor.context;
  const began = now();
  const tell = (): void =>
    onProgress?.(
      `waiting for an answer to ${handshakeRequest(revision).method}: ${durationText(now() - began)} of ${durationText(ms)}`,
    );
  const timer = setInterval(tell, 1_000);
  try {
    const reply = await talk.ask(handshakeRequest(revision), ms);
    signal.throwIfAborted();
    return reply;
  } finally {
    clearInterval(timer);
  }
}

async function listOverStdio(
  doctor: ProgramDoctor,
  talk: ProgramConversation,
  {
    revision,
    greeting,
    quiet = false,
  }: { readonly revision: EraRevision; readonly greeting: Greeting; readonly quiet?: boolean },
): Promise<CauseFinding | undefined> {
  const { context, journal } = doctor;
  if (objectAt(greeting.capabilities, "tools") === undefined) {
    if (!quiet) journal.skip("list", "it offers no tools");
    return undefined;
  }
  const reply = await talk.ask(eraRequest(revision, "tools/list", {}, 2), context.timeoutMs);
  context.signal.throwIfAborted();
  if (reply.kind === "ended") return endedLater({ ...observe(doctor, talk), ended: reply.ended });
  if (reply.kind === "silent")
    return { id: "D44", saw: `"tools/list" was not answered within ${durationText(reply.ms)}.` };
  const result = objectAt(reply.message, "result");
  if (result === undefined)
    return { id: "D44", saw: `"tools/list" is answered with ${quoteLine(describeRefusal(reply.message))}.` };
  if (!quiet) journal.pass("list", plural(arrayAt(result, "tools").length, "tool"));
  return undefined;
}

function endedLater(seen: ProgramObservation & { readonly ended: ProgramEnd }): CauseFinding {
  return { id: "D18", saw: `The handshake worked. ${describeEnding(seen)}` };
}

function howItStopped({ signal, ms }: ProgramEnd): string {
  return signal === null
    ? `it ended on its own, ${durationText(ms)} after stdin was closed`
    : `it ran on after stdin was closed and was ended by ${signal}`;
}

function passCommand({ target, journal }: ProgramDoctor): void {
  const [command] = target.command;
  const found = findCommand(command, { env: target.env, folder: target.folder });
  journal.pass(
    "command",
    found === undefined || found === command ? `${quoteLine(command)} was found` : `${quoteLine(command)} is ${found}`,
  );
}

function observe({ target, context: { clean } }: ProgramDoctor, talk?: ProgramConversation): ProgramObservation {
  const { command, folder, withheld, home, inFile } = target;
  const alias = home === undefined ? undefined : findAlias(command[0], { home });
  const script = findScript(command, folder);
  const engines = talk === undefined ? undefined : findEngines(talk.stderr());
  return {
    command,
    folder,
    folderExists: folderExists(folder),
    stdout: clean(talk?.stdout() ?? ""),
    stderr: clean(talk?.stderr() ?? ""),
    echoes: talk?.echoes() === true,
    waitedMs: 0,
    ...(withheld !== undefined && { withheld }),
    ...(alias !== undefined && { alias }),
    ...(inFile !== undefined && { inFile }),
    ...(script !== undefined && { script }),
    ...(engines !== undefined && { engines }),
  };
}
