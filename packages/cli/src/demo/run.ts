import type { Given, Outcome } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { writeJson } from "../program/write-json.ts";
import { createProgress } from "../terminal/progress.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { readingPause } from "./pace.ts";
import type { SceneFacts, Scenes } from "./scenes.ts";
import { textsFor, tookText } from "./texts.ts";

/** An ordinary answer comes sooner than this. */
const QUIET_MS = 500;
/** How often a line about waiting is drawn again. */
const TICK_MS = 100;

/** Plays the demo: at reading speed on a terminal, at once elsewhere. */
export async function runDemo({ positionals: [stray], options }: Given, io: Io): Promise<Outcome> {
  if (stray !== undefined) return refusal(`demo takes options only, and "${stray}" is none.`);
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

function refusal(message: string): Outcome {
  return { failure: { exit: "usage", code: "usage", message, fix: "recourse demo --help" } };
}

type Plays = Omit<Scenes, "facts" | "close">;
type Played = { readonly [Scene in keyof Plays]: Awaited<ReturnType<Plays[Scene]>> };

/** Plays all scenes side by side, because one of them is about waiting. */
async function playAll(scenes: Plays): Promise<Played> {
  const [leak, unsendable, payment] = await Promise.all([scenes.leak(), scenes.unsendable(), scenes.payment()]);
  return { leak, unsendable, payment };
}

function asPlayed({ leak, unsendable, payment }: Played): Plays {
  return { leak: async () => leak, unsendable: async () => unsendable, payment: async () => payment };
}

const AGENT = "The agent stands in for a model: it does what a text says, and tries again where a text says nothing.";

interface Show {
  readonly io: Io;
  readonly isSlow: boolean;
  readonly color: unknown;
}

async function play(
  scenes: Plays,
  { waitMs, clientWaitMs, password }: SceneFacts,
  { io, isSlow, color }: Show,
): Promise<void> {
  const texts = textsFor(terminalOf(io.stdout, io.env, { color }));
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
  await say(...texts.answer("guarded", `${guarded.text} (after ${tookText(guarded)})`));

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
    if (ms >= QUIET_MS) progress.step(`    no answer yet, ${(ms / 1_000).toFixed(1)} s`);
  }, TICK_MS);
  try {
    return await scene;
  } finally {
    clearInterval(timer);
    progress.done();
  }
}
