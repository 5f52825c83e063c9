import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { COMPILE_CACHE } from "../../test/support/compile-cache.ts";
import type { Io } from "../program/command.ts";
import { readingMs, runDemo } from "./run.ts";
import { PASSWORD } from "./scenes.ts";

// Node 22 warns about TypeScript on stderr.
const MAIN = [
  "--disable-warning=ExperimentalWarning",
  "--conditions=@recourse/source",
  fileURLToPath(new URL("../main.ts", import.meta.url)),
];
const LONG = { timeout: 120_000 };

interface Stage {
  readonly io: Io;
  readonly printed: () => string;
  readonly interrupt: () => void;
}

/** The world of one run, with everything that was printed. */
function stage({ isTTY = false, columns = 80 } = {}): Stage {
  let printed = "";
  const interrupted = new AbortController();
  const write = (text: string): void => {
    printed += text;
  };
  return {
    printed: () => printed,
    interrupt: () => interrupted.abort(),
    io: {
      stdin: Object.assign((async function* () {})(), {}),
      stdout: { isTTY, columns, write },
      stderr: { write },
      env: { LANG: "C.UTF-8" },
      cwd: ".",
      now: Date.now,
      signal: interrupted.signal,
    },
  };
}

// A scene waits for two seconds, so the runs wait together.
test.concurrent("what both kits really answered, and what it came to", LONG, async () => {
  const { io, printed } = stage();
  expect(await runDemo({ positionals: [], options: { json: true } }, io)).toEqual({ exit: "ok" });
  const { leak, unsendable, payment } = JSON.parse(printed());
  expect(leak.bare).toMatchObject({ answered: true, text: expect.stringContaining(PASSWORD) });
  expect(leak.guarded.text).toMatch(/^The call failed because of an internal error\. .*incident [0-9A-Z]{26}\.$/);
  expect(unsendable.bare).toMatchObject({ answered: false, text: "Request timed out" });
  expect(unsendable.bare.ms).toBeGreaterThanOrEqual(1_900);
  expect(unsendable.guarded).toMatchObject({ answered: true, text: expect.stringMatching(/^The tool ran, but/) });
  const paid = ({ turns }: { turns: { tool: string; ok: boolean; paid: boolean }[] }) =>
    turns.map(({ tool, ok, paid }) => [tool, ok, paid]);
  expect(payment.without).toMatchObject({ charges: 3, calls: 3 });
  expect(paid(payment.without)).toEqual([
    ["charge", false, true],
    ["charge", false, true],
    ["charge", true, true],
  ]);
  expect(payment.with).toMatchObject({ charges: 1, calls: 2 });
  expect(paid(payment.with)).toEqual([
    ["charge", false, true],
    ["read", true, false],
  ]);
});

test.concurrent("the program prints it at once where nobody looks, and ends by itself", LONG, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...MAIN, "demo"], {
    env: { ...process.env, ...COMPILE_CACHE, LANG: "C.UTF-8", COLUMNS: "80" },
  });
  expect(stderr).toBe("");
  const [, leak = "", unsendable = "", payment = ""] = stdout.split(/^ {2}\d /m);
  const [bare = "", guarded = ""] = leak.split("guarded ");
  expect(bare).toContain(PASSWORD);
  expect(guarded).toContain("The call failed because of an internal error.");
  expect(guarded).not.toContain(PASSWORD);
  expect(unsendable.replaceAll(/\s+/g, " ")).toContain(
    "No answer after 2 s. The client would wait 60 s, then say: Request timed out",
  );
  expect(payment).toMatch(
    /paid 3 times · 3 calls · \d+ characters of errors[\s\S]+paid once · 2 calls · \d+ characters/,
  );
  expect(stdout).toContain("\n      recourse probe node dist/server.js\n");
  // At reading speed the same lines take half a minute, of which two seconds are spent waiting.
  expect(readingMs(stdout.split("\n"))).toBeGreaterThan(22_000);
  expect(readingMs(stdout.split("\n"))).toBeLessThan(32_000);
});

test.concurrent.each([60, 80])(
  "every line but the code fits into %d columns, and nothing is coloured",
  LONG,
  async (columns) => {
    const { io, printed } = stage({ columns });
    await runDemo({ positionals: [], options: {} }, io);
    const long = printed()
      .split("\n")
      .filter((line) => line.length > columns);
    for (const line of long) expect(line).toMatch(/^ {6}const server = guard\(/);
    expect(printed()).not.toContain("\u001b");
  },
);

test("Ctrl-C ends it while it waits, and nothing is left open", LONG, async () => {
  const { io, printed, interrupt } = stage({ isTTY: true });
  const running = runDemo({ positionals: [], options: {} }, io);
  await expect.poll(printed, { timeout: 60_000 }).toContain("A tool fails.");
  interrupt();
  expect(await running).toEqual({ exit: "interrupted" });
  expect(printed()).not.toContain("recourse probe");
});

test("Ctrl-C before the first scene ends it too", LONG, async () => {
  const { io, printed, interrupt } = stage({ isTTY: true });
  interrupt();
  expect(await runDemo({ positionals: [], options: {} }, io)).toEqual({ exit: "interrupted" });
  expect(printed()).toBe("");
});

test("words that mean nothing are refused", async () => {
  const { io, printed } = stage();
  const message = 'demo takes only options, but got "slow".';
  expect(await runDemo({ positionals: ["slow"], options: {} }, io)).toMatchObject({
    failure: { exit: "usage", message },
  });
  expect(printed()).toBe("");
});
