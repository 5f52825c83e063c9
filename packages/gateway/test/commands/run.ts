import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandIo } from "../../src/commands/index.ts";

/** A command's world: an empty folder, and what it wrote. */
export interface TestIo extends CommandIo {
  out(): string;
  err(): string;
  /** Asks the command to end. */
  stop(): void;
  /** Asks the command to read its file again. */
  hangUp(): void;
}

/** Makes the world of a command, in a folder that is removed after the test. */
export function testIo(env: CommandIo["env"] = {}): TestIo {
  const cwd = mkdtempSync(join(tmpdir(), "gateway-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const out: string[] = [];
  const err: string[] = [];
  const stopping = new AbortController();
  const hangups = new Set<() => void>();
  return {
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env,
    cwd,
    now: Date.now,
    signal: stopping.signal,
    onHangup(listener) {
      hangups.add(listener);
      return () => hangups.delete(listener);
    },
    out: () => out.join(""),
    err: () => err.join(""),
    stop: () => stopping.abort(),
    hangUp: () => {
      for (const one of hangups) one();
    },
  };
}
