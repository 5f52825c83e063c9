import { basename, resolve } from "node:path";
import { arrayAt, objectAt } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../recording/revisions.ts";
import { type Conversation, converse, type Reply } from "./conversation.ts";
import { countOf, named } from "./describe.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { duration, type Finding, quote } from "./finding.ts";
import { type DoctorContext, type Journal, startJournal } from "./journal.ts";
import { endingOf, judgeEnding } from "./judge-ending.ts";
import { judgeStart } from "./judge-start.ts";
import { judgeSilence, judgeStdout } from "./judge-stdout.ts";
import type { Ended, ProgramSeen } from "./program-seen.ts";
import { enginesOf, findCommand, folderExists, scriptOf } from "./project.ts";
import { type Greeting, greetingOf, handshake, INITIALIZED, refusalOf, request } from "./requests.ts";

/** A program that should be an MCP server on stdio. */
export interface ProgramTarget {
  readonly command: readonly [string, ...string[]];
  /** The folder in which it starts. */
  readonly folder: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that this process has and the program does not get. */
  readonly withheld?: ReadonlySet<string>;
}

/** Finds out why a program does not work as an MCP server, step by step, and stops at the first broken one. */
export async function diagnoseProgram(target: ProgramTarget, context: DoctorContext): Promise<Diagnosis> {
  const journal = startJournal({ transport: "stdio", command: target.command }, context);
  const folder = resolve(target.folder);
  const still = seenOf({ ...target, folder }, undefined, { waitedMs: 0, clean: context.clean });
  const misplaced = judgeStart(still);
  if (misplaced !== undefined) return journal.broken("command", misplaced);
  const doctor: Doctor = { target: { ...target, folder }, context, journal };
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

interface Doctor {
  readonly target: ProgramTarget;
  readonly context: DoctorContext;
  readonly journal: Journal;
}

/** How the older era went: over, agreed on, or refused with a JSON-RPC error. */
type OlderEra = { readonly diagnosis: Diagnosis } | Spoken;

interface Spoken {
  /** How long the first answer took. */
  readonly answerMs: number;
  /** What the server said about itself, if it agreed. */
  readonly greeting?: Greeting;
  /** How it refused, if it did. */
  readonly refusal?: string;
  readonly stopped?: Ended;
}

async function tryOlderEra(doctor: Doctor): Promise<OlderEra> {
  const { context, journal } = doctor;
  return withProgram(doctor, async (talk) => {
    const broken = (name: Parameters<Journal["broken"]>[0], finding: Finding) => ({
      diagnosis: journal.broken(name, finding),
    });
    const seen = (ended?: Ended) => ({ ...look(doctor, talk), ...(ended !== undefined && { ended }) });
    const startError = await talk.startError;
    if (startError !== undefined) {
      const finding = judgeStart({ ...seen(), startError }) ?? { id: "D43", saw: startError };
      if (finding.id === "D1") return broken("command", finding);
      passCommand(doctor);
      return broken("start", finding);
    }
    passCommand(doctor);
    const reply = await ask(doctor, talk, "2025-11-25", context.timeoutMs);
    if (reply.kind === "ended") return broken("start", judgeEnding({ ...seen(), ended: reply.ended }));
    journal.pass("start", "it runs");
    if (reply.kind === "silent") return broken("first line", judgeSilence({ ...seen(), waitedMs: reply.ms }));
    const dirty = judgeStdout(seen());
    if (dirty !== undefined) return broken("first line", dirty);
    journal.pass("first line", `a JSON-RPC message after ${duration(reply.ms)}`);
    if (reply.ms > context.waits.slowMs)
      journal.note({
        id: "D14",
        saw: `The first answer took ${duration(reply.ms)}. Many hosts give up after 10 to 60 seconds.`,
        fix: hasteFor(doctor.target.command[0]),
      });
    const greeting = greetingOf(reply.message, "2025-11-25");
    if (greeting === undefined) return { answerMs: reply.ms, refusal: refusalOf(reply.message) };
    journal.speaks("2025-11-25", greeting.server);
    journal.pass("2025-11-25", named(greeting));
    talk.notify(INITIALIZED);
    const unlisted = await list(doctor, talk, { revision: "2025-11-25", greeting });
    if (unlisted !== undefined) return broken("list", unlisted);
    const ended = await talk.end(context.waits.settleMs);
    if (ended !== undefined) return broken("list", endedLater({ ...seen(), ended }));
    const later = judgeStdout(seen());
    if (later !== undefined) return broken("list", later);
    return { answerMs: reply.ms, greeting, stopped: await talk.stop() };
  });
}

/** Starts the program a second time: the first message decides which era a program speaks. */
async function tryNewerEra(doctor: Doctor, older: Spoken): Promise<Diagnosis | undefined> {
  const { context, journal } = doctor;
  const works = older.greeting !== undefined;
  return withProgram(doctor, async (talk) => {
    const ms = works ? Math.min(context.timeoutMs, context.waits.secondEraMs + 3 * older.answerMs) : context.timeoutMs;
    const reply = await ask(doctor, talk, "2026-07-28", ms);
    const greeting = reply.kind === "response" ? greetingOf(reply.message, "2026-07-28") : undefined;
    if (greeting !== undefined) {
      journal.speaks("2026-07-28", greeting.server);
      journal.pass("2026-07-28", named(greeting));
      const unlisted = await list(doctor, talk, { revision: "2026-07-28", greeting, quiet: works });
      if (unlisted !== undefined) return journal.broken("list", unlisted);
      if (!works) journal.note({ id: "D36", saw: `"initialize" is refused: ${quote(older.refusal ?? "")}` });
      return undefined;
    }
    const refusal = reply.kind === "response" ? quote(refusalOf(reply.message)) : "no answer";
    if (!works)
      return journal.broken("2026-07-28", {
        id: "D44",
        saw: `Both handshakes are refused: ${quote(older.refusal ?? "")}, and ${refusal}.`,
      });
    if (reply.kind === "ended") {
      journal.skip("2026-07-28", `could not be tried: ${endingOf({ ...look(doctor, talk), ended: reply.ended })}`);
      return undefined;
    }
    journal.skip("2026-07-28", `not spoken (${refusal})`);
    journal.note({ id: "D35", saw: "It speaks the older era only, up to 2025-11-25." });
    return undefined;
  });
}

/** Starts the program, and ends it whatever happens. */
async function withProgram<T>({ target, context }: Doctor, use: (talk: Conversation) => Promise<T>): Promise<T> {
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
async function ask(doctor: Doctor, talk: Conversation, revision: Revision, ms: number): Promise<Reply> {
  const { now, onProgress, signal } = doctor.context;
  const began = now();
  const tell = (): void =>
    onProgress?.(
      `waiting for an answer to ${handshake(revision).method}: ${duration(now() - began)} of ${duration(ms)}`,
    );
  const timer = setInterval(tell, 1_000);
  try {
    const reply = await talk.ask(handshake(revision), ms);
    signal.throwIfAborted();
    return reply;
  } finally {
    clearInterval(timer);
  }
}

async function list(
  { context, journal, ...doctor }: Doctor,
  talk: Conversation,
  {
    revision,
    greeting,
    quiet = false,
  }: { readonly revision: Revision; readonly greeting: Greeting; readonly quiet?: boolean },
): Promise<Finding | undefined> {
  if (objectAt(greeting.capabilities, "tools") === undefined) {
    if (!quiet) journal.skip("list", "it offers no tools");
    return undefined;
  }
  const reply = await talk.ask(request(revision, "tools/list", {}, 2), context.timeoutMs);
  context.signal.throwIfAborted();
  if (reply.kind === "ended") return endedLater({ ...look({ context, journal, ...doctor }, talk), ended: reply.ended });
  if (reply.kind === "silent") return { id: "D44", saw: `"tools/list" was not answered within ${duration(reply.ms)}.` };
  const result = objectAt(reply.message, "result");
  if (result === undefined)
    return { id: "D44", saw: `"tools/list" is answered with ${quote(refusalOf(reply.message))}.` };
  if (!quiet) journal.pass("list", countOf(arrayAt(result, "tools").length));
  return undefined;
}

function endedLater(seen: ProgramSeen & { readonly ended: Ended }): Finding {
  return { id: "D18", saw: `The handshake worked. ${endingOf(seen)}` };
}

function howItStopped({ signal, ms }: Ended): string {
  return signal === null
    ? `it ended by itself, ${duration(ms)} after stdin was closed`
    : `it ran on after stdin was closed and was ended by ${signal}`;
}

function passCommand({ target, journal }: Doctor): void {
  const [command] = target.command;
  const found = findCommand(command, { env: target.env, folder: target.folder });
  journal.pass(
    "command",
    found === undefined || found === command ? `${quote(command)} was found` : `${quote(command)} is ${found}`,
  );
}

function look({ target, context }: Doctor, talk: Conversation): ProgramSeen {
  return seenOf(target, talk, { waitedMs: 0, clean: context.clean });
}

function seenOf(
  { command, folder, withheld }: ProgramTarget,
  talk: Conversation | undefined,
  { waitedMs, clean }: { readonly waitedMs: number; readonly clean: (text: string) => string },
): ProgramSeen {
  const stderr = clean(talk?.stderr() ?? "");
  const script = scriptOf(command, folder);
  const engines = talk === undefined ? undefined : enginesOf(talk.stderr());
  return {
    command,
    folder,
    folderExists: folderExists(folder),
    stdout: clean(talk?.stdout() ?? ""),
    stderr,
    echoes: talk?.echoes() === true,
    waitedMs,
    ...(withheld !== undefined && { withheld }),
    ...(script !== undefined && { script }),
    ...(engines !== undefined && { engines }),
  };
}
