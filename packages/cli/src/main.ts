#!/usr/bin/env node
import { COMMANDS } from "./commands/index.ts";
import { onInterrupt } from "./platform/interrupts.ts";
import { EXIT_CODES } from "./program/exit-codes.ts";
import type { Output } from "./program/io.ts";
import { onUnexpected } from "./program/on-unexpected.ts";
import { run } from "./program/run.ts";

/** What still runs after this time, such as a socket that nothing reads, ends with the program. */
const GRACE_MS = 500;

const interrupted = new AbortController();
let hasReader = true;
const interrupts = onInterrupt(
  () => interrupted.abort(),
  () => process.exit(EXIT_CODES.interrupted.code),
);

const exit = await run(COMMANDS, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
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
await Promise.all([process.stdout, process.stderr].map(written));
interrupts.stop();
setTimeout(() => process.exit(), GRACE_MS).unref();

/** Resolves once everything was handed over, or the reader has gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
}

/** A stream that ends quietly when its reader has gone, as in `| head`. */
function outputOf(stream: NodeJS.WriteStream): Output {
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
