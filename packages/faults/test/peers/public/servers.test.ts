import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tripwire } from "../../../src/safety/tripwire.ts";
import type { GuardOptions } from "../../../src/server/index.ts";
import { findLeaks } from "../../../src/testing/no-leak.ts";
import { FAILURES, type Failure, SUCCESSES, succeed } from "./cases.ts";
import { type Answer, answerOf, type Package, PROTECTED, type Running, startPublic } from "./servers.ts";

const GUARDED = { thrown: "quote", allow: ["path"] } as const satisfies GuardOptions;
const PATIENCE = { timeout: 60_000 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is planted must not get into the terminal.
const oneLine = (text: string): string => text.replaceAll(/[\s\u0000]+/g, " ").trim();
const clip = (text: string, width: number): string =>
  (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width);

function row(name: string, bare: string, guarded: string): string {
  return [clip(name, 26), clip(oneLine(bare), 84), clip(oneLine(guarded), 150)].join(" | ");
}

/** What must hold of a failure, bare and guarded. */
function check({ says, secret, stoppedBy, reason }: Failure, bare: Answer, guarded: Answer): void {
  expect([bare.failed, bare.fault, guarded.failed]).toEqual([true, undefined, true]);
  expect(guarded.fault?.reason).toBe(reason);
  if (secret !== undefined) {
    expect(findLeaks(bare.wire, [secret])).toEqual([secret]);
    expect(findLeaks(guarded.wire, [secret])).toEqual([]);
    return;
  }
  if (says !== undefined) expect(bare.text).toContain(says);
  if (stoppedBy !== undefined) {
    expect(tripwire(bare.text.replaceAll("$DIR", "/tmp/public-server"), GUARDED)).toBe(stoppedBy);
    expect(guarded.fault?.quote).toBeUndefined();
  } else if (says !== undefined) {
    expectQuoted(bare, guarded, says);
  }
}

/** The sentence stands in the fault and in what the model reads, word for word, or shortened at its end. */
function expectQuoted(bare: Answer, { fault, text }: Answer, words: string): void {
  expect(fault?.quote?.from).toBe("thrown");
  const quoted = fault?.quote?.text ?? "";
  expect(quoted).toContain(words);
  expect(text).toContain(words);
  const whole = oneLine(bare.text);
  if (quoted.endsWith("…")) expect(whole.startsWith(quoted.slice(0, -1))).toBe(true);
  else expect(quoted).toBe(whole);
}

describe.skipIf(process.platform === "win32").each(["filesystem", "memory"] as const)("server-%s", (name: Package) => {
  const running: { bare?: Running; guarded?: Running } = {};
  const both = async (ask: Failure["ask"]): Promise<[Answer, Answer]> =>
    Promise.all([answerOf(running.bare as Running, ask), answerOf(running.guarded as Running, ask)]);

  beforeAll(async () => {
    const started = await Promise.allSettled([startPublic(name), startPublic(name, GUARDED)]);
    const [bare, guarded] = started.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    Object.assign(running, { bare, guarded });
    for (const one of started) if (one.status === "rejected") throw one.reason;
  }, PATIENCE.timeout);

  afterAll(async () => {
    await Promise.all([running.bare?.close(), running.guarded?.close()]);
  });

  test("what succeeds is unchanged, tool by tool", PATIENCE, async () => {
    const [bareTools, guardedTools] = await both(({ client }) => client.listTools());
    expect(guardedTools.wire).toEqual(bareTools.wire);
    const names = (bareTools.wire as { tools: { name: string }[] }).tools.map((tool) => tool.name);
    expect(new Set(SUCCESSES[name].map(([tool]) => tool))).toEqual(new Set(names));
    for (const success of SUCCESSES[name]) {
      const [bare, guarded] = await both(succeed(success));
      expect([bare.failed, guarded.failed], success[0]).toEqual([false, false]);
      expect(timeless(guarded.wire), success[0]).toEqual(timeless(bare.wire));
    }
  });

  test("the authors' sentences arrive, planted secrets do not, and the fault is there", PATIENCE, async () => {
    const incidents: string[] = [];
    const rows = [row(`server-${name}`, "bare", "guarded")];
    for (const failure of FAILURES[name]) {
      const [bare, guarded] = await both(failure.ask);
      const mark = failure.secret !== undefined ? "LEAKS " : "";
      if (guarded.fault?.incident !== undefined) incidents.push(guarded.fault.incident);
      rows.push(row(failure.name, mark + bare.text, guarded.text));
      try {
        check(failure, bare, guarded);
      } catch (cause) {
        throw new Error(`${failure.name}: ${bare.text} → ${guarded.text}`, { cause });
      }
    }
    console.log(rows.join("\n"));
    // Standard error is another pipe, and may come later than the answer.
    const told = () => running.guarded?.stderr() ?? "";
    await vi.waitFor(() => expect(incidents.filter((id) => !told().includes(id))).toEqual([]), { timeout: 10_000 });
    expect(incidents.length).toBeGreaterThan(5);
    expect(findLeaks(told(), [PROTECTED])).toEqual([]);
  });

  test("where the system's words are excused too, the model reads what the file system said", PATIENCE, async () => {
    const excused = await startPublic(name, { thrown: "quote", allow: ["path", "system"] });
    try {
      for (const failure of FAILURES[name].filter(({ stoppedBy }) => stoppedBy === "system.errno")) {
        const bare = await answerOf(running.bare as Running, failure.ask);
        expectQuoted(bare, await answerOf(excused, failure.ask), bare.text.split(",")[0] as string);
      }
    } finally {
      await excused.close();
    }
  });
});

/** Without the times of a file. */
function timeless(wire: unknown): unknown {
  return JSON.parse(JSON.stringify(wire).replaceAll(/(created|modified|accessed): [^\\"]+/g, "$1"));
}
