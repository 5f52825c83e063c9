import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo, padTo, wrapText } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { createProgress, createTerminal, type Terminal } from "../terminal/terminal.ts";
import { durationText } from "../terminal/wording.ts";
import type { Payment, Turn } from "./payment.ts";
import type { SceneFacts, Scenes } from "./scenes.ts";

/** An ordinary answer comes sooner than this. */
const ORDINARY_ANSWER_MS = 500;

/** How often a line about waiting is drawn again. */
const REDRAW_MS = 100;

/** Plays the demo: at reading speed on a terminal, at once elsewhere. */
export async function runDemo({ positionals: [stray], options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  if (stray !== undefined)
    return { failure: usageFailure(`demo takes only options, but got "${stray}".`, "recourse demo --help") };
  const isSlow = io.stdout.isTTY === true && options["fast"] !== true && options["json"] !== true;
  // The official SDK is large. Only here is it needed.
  const { openScenes } = await import("./scenes.ts");
  let scenes: Scenes | undefined;
  try {
    scenes = await openScenes(io);
    if (isSlow) await play(scenes, scenes.facts, { io, isSlow, color: options["color"] });
    else {
      const played = await playAll(scenes);
      if (options["json"] === true) writeJson(io.stdout, played);
      else await play(asPlayed(played), scenes.facts, { io, isSlow, color: options["color"] });
    }
  } catch (thrown) {
    // Whatever was under way when Ctrl-C came has failed because of it.
    if (!io.signal.aborted) throw thrown;
  } finally {
    await scenes?.close();
  }
  return { exit: io.signal.aborted ? "interrupted" : "ok" };
}

type SceneActions = Omit<Scenes, "facts" | "close">;

type SceneResults = { readonly [Scene in keyof SceneActions]: Awaited<ReturnType<SceneActions[Scene]>> };

/** Plays all scenes side by side, because one of them is about waiting. */
async function playAll(scenes: SceneActions): Promise<SceneResults> {
  const [leak, unsendable, payment] = await Promise.all([scenes.leak(), scenes.unsendable(), scenes.payment()]);
  return { leak, unsendable, payment };
}

function asPlayed({ leak, unsendable, payment }: SceneResults): SceneActions {
  return { leak: async () => leak, unsendable: async () => unsendable, payment: async () => payment };
}

const AGENT = "The agent stands in for a model: it does what a text says, and tries again if a text says nothing.";

interface ShowOptions {
  readonly io: Io;
  readonly isSlow: boolean;
  readonly color: unknown;
}

async function play(
  scenes: SceneActions,
  { waitMs, clientWaitMs, password }: SceneFacts,
  { io, isSlow, color }: ShowOptions,
): Promise<void> {
  const texts = textsFor(createTerminal(io.stdout, io.env, { color }));
  const say = async (...lines: readonly string[]): Promise<void> => {
    io.signal.throwIfAborted();
    io.stdout.write(`${lines.join("\n")}\n`);
    if (isSlow) await readingPause(lines, io.signal);
  };
  const played = <T>(scene: Promise<T>): Promise<T> => (isSlow ? whileWaiting(scene, io) : scene);

  await say(...texts.title(1, "A tool fails. What does the model read?"));
  const leak = await played(scenes.leak());
  await say(...texts.answer("bare", leak.bare.text, password));
  await say(...texts.answer("guarded", leak.guarded.text));
  if (leak.bare.text.includes(password) && !leak.guarded.text.includes(password))
    await say(
      ...texts.remark("Bare, the model got a password. Guarded, you find the cause in your log, by its incident."),
    );

  await say(...texts.title(2, "A tool returns 12n, which JSON cannot carry."));
  const { bare, guarded } = await played(scenes.unsendable());
  const silence = `No answer after ${waitMs / 1_000} s. The client would wait ${clientWaitMs / 1_000} s, then say: ${bare.text}`;
  await say(...texts.answer("bare", bare.answered ? bare.text : silence));
  await say(...texts.answer("guarded", `${guarded.text} (after ${durationText(guarded.ms)})`));

  await say(...texts.title(3, "The answer to a payment gets lost. An agent carries on."));
  await say(...texts.remark(AGENT));
  const payment = await played(scenes.payment());
  for (const [heading, side] of [
    ["without Recourse", payment.without],
    ["with Recourse", payment.with],
  ] as const) {
    await say(...texts.heading(heading));
    for (const turn of side.turns) await say(...texts.turn(turn));
    await say(...texts.sum(side));
  }
  await say(...texts.heading("One line in your server, and one in your client"));
  await say(...texts.code('const server = guard(new McpServer({ name: "shop", version: "1.0.0" }));'));
  await say(...texts.code("const mcp = recourse(client);"));
  await say(...texts.heading("Now yours"), ...texts.code("recourse probe node dist/server.js"), "");
}

/** Shows that time passes while a scene plays. */
async function whileWaiting<T>(scene: Promise<T>, io: Io): Promise<T> {
  const progress = createProgress(io.stdout, "line");
  const from = io.now();
  const timer = setInterval(() => {
    const ms = io.now() - from;
    if (ms >= ORDINARY_ANSWER_MS) progress.step(`    no answer yet, ${(ms / 1_000).toFixed(1)} s`);
  }, REDRAW_MS);
  try {
    return await scene;
  } finally {
    clearInterval(timer);
    progress.done();
  }
}

/** How long a line is shown before the next one. */
const MS_PER_WORD = 80;
const MS_PER_LINE = 120;

/** Waits as long as it takes to read some lines, or until the signal is aborted. */
export async function readingPause(lines: readonly string[], signal: AbortSignal): Promise<void> {
  await sleep(readingMs(lines), undefined, { signal }).catch(() => undefined);
}

/** How long it takes to read some lines. */
export function readingMs(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + MS_PER_LINE + countWords(line) * MS_PER_WORD, 0);
}

function countWords(line: string): number {
  return stripVTControlCharacters(line).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}

/** Lines wider than this are hard to read. */
const MAX_WIDTH = 88;
const DEMO_INDENT = "    ";
const LABEL_WIDTH = 9;

/** Writes the parts of the demo for one terminal. */
export interface DemoTexts {
  title(number: number, text: string): string[];
  /** What one side answered. A secret in it is marked. */
  answer(side: "bare" | "guarded", text: string, secret?: string): string[];
  /** A sentence of the narrator. */
  remark(text: string): string[];
  /** A call of the agent. */
  turn(turn: Turn): string[];
  /** What a payment came to. */
  sum(payment: Payment): string[];
  heading(text: string): string[];
  /** Something to copy. */
  code(text: string): string[];
}

export function textsFor({ width: columns, styles, symbols }: Terminal): DemoTexts {
  const width = Math.min(columns, MAX_WIDTH);
  const labelled = (label: string, text: string) =>
    wrapText(text, {
      width,
      indent: " ".repeat(DEMO_INDENT.length + LABEL_WIDTH),
      first: DEMO_INDENT + padTo(label, LABEL_WIDTH),
    });
  return {
    title: (number, text) => ["", `${styles.dim(`  ${number}`)} ${styles.bold(text)}`, ""],
    answer(side, text, secret) {
      const lines = labelled((side === "bare" ? styles.red : styles.green)(side), printableLine(text));
      return secret === undefined ? lines : lines.map((line) => line.replaceAll(secret, styles.red(secret)));
    },
    remark: (text) => wrapText(text, { width, indent: DEMO_INDENT }).map((line) => styles.dim(line)),
    heading: (text) => ["", `${DEMO_INDENT}${styles.bold(text)}`],
    turn({ tool, ok, text, paid }) {
      const mark = ok ? styles.green(symbols.tick) : styles.red(symbols.cross);
      const label = `${DEMO_INDENT}${padTo(tool, 7)} ${padTo(paid ? styles.bold("paid") : "", 5)} ${mark} `;
      const indent = " ".repeat(DEMO_INDENT.length + 16);
      return wrapText(cutTo(printableLine(text), 200, symbols.ellipsis), { width, indent, first: label });
    },
    sum({ charges, calls, errorCharacters }) {
      const paid = charges === 1 ? styles.green("paid once") : styles.red(`paid ${charges} times`);
      const dot = ` ${symbols.dot} `;
      return [`${DEMO_INDENT}${[paid, `${calls} calls`, `${errorCharacters} characters of errors`].join(dot)}`];
    },
    code: (text) => [`${DEMO_INDENT}  ${styles.cyan(text)}`],
  };
}
