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
  failsWhen: "At any time, a line on stdout is not a JSON-RPC message.",
  notCounted: "Blank lines.",
  why: "Clients read stdout line by line. A line that is not a message makes them fail or drop the next message.",
  fix: {
    text: "Write logs to stderr. `guardStdout` redirects stray output from libraries there. Start the program directly: `npm start` prints its own lines.",
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
  title: "A line that is too long is refused, and the server keeps running.",
  failsWhen: "After a message of 11 MiB, the program exits or stops answering.",
  notCounted:
    "Servers that accept the message, and servers that answer the next request. Programs that exit in only one of two attempts, or after ordinary requests too: `no-crash` finds those.",
  why: "One long argument, such as a file, ends the whole session.",
  fix: {
    text: "The official SDK closes the connection at 10 MiB. `guardStdin` answers such a message under its id and continues.",
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
  title: "The process exits when its input ends.",
  failsWhen: "The process is still running 5 seconds after stdin was closed.",
  why: "Hosts close stdin and move on. A process that stays keeps its memory, ports and database connections.",
  fix: {
    text: "Close pools, timers and listeners when the input ends; then the process exits on its own.",
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
  title: "Programs that the server starts exit with it.",
  failsWhen: "A program that the server started is still running one second after the server exited.",
  notCounted: "Systems that do not show the environment of a process: the probe can find such programs on Linux only.",
  why: "Each start leaves another process behind, and nothing stops it.",
  fix: {
    text: "Stop the programs that you started when the input ends. Do not detach them: a program in the server's process group ends with the server.",
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
