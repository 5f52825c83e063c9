// Programs that run in the process of the test, so that probing them costs no start of Node, and time is the test's own.
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { ChildExit } from "@recourse/core/node";
import { vi } from "vitest";
import type { StartProgram } from "../../src/wire/stdio.ts";

/** What a program has: `process` in a process of its own. */
export interface ProgramHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: number): void;
}

/** A program that can read nothing more still says what it has to say. */
const LAST_WORDS_MS = 100;

/** Starts programs in this process. As a process does, one ends by itself once it can read nothing more. */
export function startInside(main: (host: ProgramHost) => unknown): StartProgram {
  return ({ env, signal }) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const { promise: exited, resolve } = Promise.withResolvers<ChildExit>();
    let ended: ChildExit | undefined;
    const end = (exit: ChildExit): void => {
      if (ended !== undefined) return;
      ended = exit;
      stdin.destroy();
      stdout.end();
      stderr.end();
      resolve(exit);
    };
    // What it still writes after its end goes nowhere.
    for (const pipe of [stdin, stdout, stderr]) pipe.on("error", () => {});
    // Fake time: see withoutWaiting.
    const endSoon = () => setTimeout(() => end({ code: 0, signal: null }), LAST_WORDS_MS);
    stdin.on("end", endSoon);
    stdin.on("pause", () => {
      if (stdin.listenerCount("data") === 0) endSoon();
    });
    signal?.addEventListener("abort", () => end({ code: null, signal: "SIGKILL" }), { once: true });
    main({ env, stdin, stdout, stderr, exit: (code) => end({ code, signal: null }) });
    return {
      pid: process.pid,
      stdin,
      stdout,
      stderr,
      exited,
      exit: () => ended,
      stop() {
        stdin.end();
        // The same fake time.
        setTimeout(() => end({ code: null, signal: "SIGTERM" }), 5 * LAST_WORDS_MS);
        return exited;
      },
    };
  };
}

/** Runs a probe of programs in this process. Time passes whenever all of them wait for it, and only then. */
export async function withoutWaiting<T>(run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  let isDone = false;
  try {
    const result = run().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      // Pipes within a process have passed everything on by then, however slow the machine is.
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      if (!isDone) vi.advanceTimersToNextTimer();
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
