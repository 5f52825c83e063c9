// The program itself. `main.ts` loads it once the version of Node.js is known to be new enough.
import { COMMANDS } from "./commands/index.ts";
import { onInterrupt } from "./platform/interrupts.ts";
import { EXIT_CODES, type Output } from "./program/command.ts";
import { runProgram } from "./program/run.ts";

/** What still runs after this time, such as a socket that nothing reads, ends with the program. */
const EXIT_GRACE_MS = 500;

const interrupted = new AbortController();
let hasReader = true;
const interrupts = onInterrupt(
  () => interrupted.abort(),
  () => process.exit(EXIT_CODES.interrupted.code),
);

const exit = await runProgram(COMMANDS, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: quietOutput(process.stdout),
  stderr: quietOutput(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  signal: interrupted.signal,
  onHangup: interrupts.onHangup,
  onUnexpected,
});

process.exitCode = EXIT_CODES[exit === "interrupted" && !hasReader ? "ok" : exit].code;
process.stdin.destroy();
// A pipe holds a part of a long output only. The reader may take its time, and a second Ctrl-C still ends the program.
await Promise.all([process.stdout, process.stderr].map(flush));
interrupts.stop();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();

/** Resolves once everything was handed over, or the reader has gone. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
}

/** A stream that ends quietly when its reader has gone, as in `| head`. */
function quietOutput(stream: NodeJS.WriteStream): Output {
  let open = true;
  stream.on("error", () => {
    open = false;
    // Without a reader there is nothing left to find out. That is not an interruption: `| head` has what it wanted.
    hasReader = false;
    interrupted.abort();
  });
  return {
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    write(text) {
      if (open) stream.write(text);
    },
  };
}

/**
 * Takes over exceptions and rejections that nothing has caught, which otherwise end the program. Returns what gives
 * them back. A program that serves many callers continues: if it ended, one caller who finds a bug could end it for
 * all, again and again.
 */
function onUnexpected(listener: (error: unknown, where: string) => void): () => void {
  const onException = (error: unknown) => listener(error, "uncaught exception");
  const onRejection = (error: unknown) => listener(error, "unhandled rejection");
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}
