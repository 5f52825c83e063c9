import type { StimulusName } from "../recording/recording.ts";
import {
  failCheck,
  judgeEach,
  type ProbeCheck,
  passCheck,
  quoteText,
  STDIN_FIX,
  STDOUT_FIX,
  skipCheck,
  visibleText,
} from "./check.ts";
import { select } from "./exchanges.ts";

const stdoutClean: ProbeCheck = {
  id: "stdout-clean",
  category: "stdio",
  severity: "critical",
  source: "yours",
  transport: "stdio",
  title: "Nothing but messages is written to stdout.",
  failsWhen: "A line on stdout is no JSON-RPC message, at any time of the run.",
  notCounted: "Blank lines.",
  why: "Clients read stdout line by line, and a line that is not a message makes them fail or drop the next one.",
  fix: {
    text: "Write logs to stderr. `guardStdout` sends stray prints of libraries there. Start the program itself: `npm start` prints lines of its own.",
    code: STDOUT_FIX,
  },
  run({ era }) {
    const lines = era.strayLines.filter((line) => line.trim() !== "");
    const [first] = era.exchanges;
    if (first === undefined) return skipCheck("Nothing was sent.");
    if (lines.length === 0) return passCheck();
    const count = lines.length === 1 ? "1 line" : `${lines.length} lines`;
    return failCheck(
      `${count} on stdout ${lines.length === 1 ? "is" : "are"} no message: ${quoteText(lines[0] ?? "")}.`,
      [first],
    );
  },
};

/** A program that ends after these does not end by itself. */
const MAY_END_PROGRAM: ReadonlySet<StimulusName> = new Set([
  "malformed-message",
  "deep-json",
  "long-message",
  "close-stdin",
]);

const lineLimit: ProbeCheck = {
  id: "line-limit",
  category: "stdio",
  severity: "medium",
  source: "sdk",
  transport: "stdio",
  title: "A line that is too long is refused, and the server runs on.",
  failsWhen: "A message of 11 MiB ends the program or makes it silent.",
  notCounted:
    "Servers that accept it, and servers that answer the next request. Programs that end only once in two tries, or after ordinary requests too: `no-crash` finds those.",
  why: "One long argument, such as a file, ends the session with everything in it.",
  fix: {
    text: "The official SDK closes the connection at 10 MiB. `guardStdin` answers such a message under its id and goes on.",
    code: STDIN_FIX,
  },
  run: (view) =>
    judgeEach(
      select(view, "long-message").filter(
        ({ variant, answer }) => variant !== "next" && answer.kind !== "inconclusive",
      ),
      {
        nothing: "No long message was sent.",
        wrong({ answer }) {
          // A program that ends at other times too may have ended by itself while it read the line.
          const endsAnyway = view.era.exchanges.some(
            (one) => !MAY_END_PROGRAM.has(one.stimulus) && (one.answer.kind === "closed" || one.ended !== undefined),
          );
          if (answer.kind === "closed") return endsAnyway ? undefined : "A message of 11 MiB ends the program.";
          // Old versions of the SDK read such a line slowly, and answer what comes after it.
          const isDeaf = select(view, "long-message", "next").every((next) => next.answer.kind !== "message");
          return answer.kind === "silent" && answer.strays.length === 0 && isDeaf
            ? "A message of 11 MiB gets no answer."
            : undefined;
        },
      },
    ),
};

const exitOnClose: ProbeCheck = {
  id: "exit-on-close",
  category: "stdio",
  severity: "medium",
  source: "yours",
  transport: "stdio",
  title: "The process ends when its input ends.",
  failsWhen: "The process still runs 5 seconds after stdin was closed.",
  why: "Hosts close stdin and go; processes that stay hold memory, ports and database connections.",
  fix: {
    text: "Close pools, timers and listeners when the input ends: the process then ends by itself.",
    code: `import { stdin } from "node:process";

stdin.on("end", () => void pool.end());`,
  },
  run: (view) =>
    judgeEach(
      select(view, "close-stdin").filter(({ answer }) => answer.kind !== "inconclusive"),
      {
        nothing: "Stdin was not closed.",
        wrong: ({ answer }) =>
          answer.kind === "closed"
            ? undefined
            : `The process still runs ${Math.round(answer.ms / 1_000)} s after its input has ended.`,
      },
    ),
};

const childrenEnd: ProbeCheck = {
  id: "children-end",
  category: "stdio",
  severity: "medium",
  since: 2,
  source: "yours",
  transport: "stdio",
  title: "Programs that the server starts end with it.",
  failsWhen: "A program that the server started still runs a second after the server itself ended.",
  notCounted: "Systems on which a program does not show its environment: the probe sees them on Linux only.",
  why: "Each start leaves one more of them, and nobody sees or ends them.",
  fix: {
    text: "End what you started when the input ends. Do not detach it: a program in the process group of the server ends with it.",
    code: `import { stdin } from "node:process";

const worker = spawn("worker", [], { stdio: "ignore" });
stdin.on("end", () => worker.kill());`,
  },
  run(view) {
    const closed = select(view, "close-stdin").filter(({ answer }) => answer.kind === "closed");
    return judgeEach(closed, {
      nothing: "The program did not end at the end of its input.",
      wrong() {
        const [first, ...others] = view.era.leftBehind ?? [];
        if (first === undefined) return undefined;
        const more = others.length === 0 ? "" : ` and ${others.length} more`;
        const now = first.ended ? "The probe ended it." : "It left the process group and still runs.";
        return `The server leaves ${visibleText(first.name, 60)} (process ${first.pid})${more} behind. ${now}`;
      },
    });
  },
};

/** The pipe between a host and its server. */
export const STDIO_CHECKS: readonly ProbeCheck[] = [stdoutClean, lineLimit, exitOnClose, childrenEnd];
