import { isNightly } from "@recourse/test-kit/runs";
import { findLeaks } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPattern } from "../../../src/safety/pattern-filter.ts";
import type { GuardOptions } from "../../../src/server/index.ts";
import { type FailureCase, QUOTED } from "./case.ts";
import { callOf, FAILURES, SUCCESSES } from "./cases.ts";
import { REGISTERED_SECRET } from "./secrets.ts";
import {
  answerOf,
  PUBLIC_SERVERS,
  type PublicServer,
  type RunningServer,
  type ServerAnswer,
  startPublicServer,
} from "./servers.ts";

const GUARD_OPTIONS = { foreignText: "quote", allow: ["path"] } as const satisfies GuardOptions;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the planted control characters must not reach the terminal.
const oneLine = (text: string): string => text.replaceAll(/[\s\u0000]+/g, " ").trim();
const clip = (text: string, width: number): string =>
  (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width);

function tableRow(name: string, bare: string, guarded: string): string {
  return [clip(name, 26), clip(oneLine(bare), 84), clip(oneLine(guarded), 150)].join(" | ");
}

/** Checks the answers of the bare and the guarded server. */
function checkAnswers(
  { says, secret, sentByCaller, stoppedBy, reason }: FailureCase,
  bare: ServerAnswer,
  guarded: ServerAnswer,
): void {
  expect([bare.failed, bare.fault, guarded.failed]).toEqual([true, undefined, true]);
  expect(guarded.fault?.reason).toBe(reason);
  if (secret !== undefined) {
    expect(findLeaks(bare.wire, [secret])).toEqual([secret]);
    expect(findLeaks(guarded.wire, [secret])).toEqual(sentByCaller && reason === QUOTED ? [secret] : []);
    return;
  }
  if (says !== undefined) expect(bare.text).toContain(says);
  if (stoppedBy !== undefined) {
    expect(findPattern(bare.text.replaceAll("$DIR", "/tmp/public-server"), GUARD_OPTIONS)).toBe(stoppedBy);
    expect(guarded.fault?.quote).toBeUndefined();
  } else if (says !== undefined) {
    expectQuoted(bare, guarded, says);
  }
}

/** The text of the author is in the fault and in the text for the model, unchanged or shortened at its end. */
function expectQuoted(bare: ServerAnswer, { fault, text }: ServerAnswer, words: string): void {
  expect(fault?.quote?.from).toBe("thrown");
  const quoted = fault?.quote?.text ?? "";
  expect(quoted).toContain(words);
  expect(text).toContain(words);
  const whole = oneLine(bare.text);
  if (quoted.endsWith("…")) expect(whole.startsWith(quoted.slice(0, -1))).toBe(true);
  else expect(quoted).toBe(whole);
}

// Each server is started three times, as a process.
const SERVERS: readonly PublicServer[] = isNightly ? (Object.keys(PUBLIC_SERVERS) as PublicServer[]) : ["filesystem"];

describe.skipIf(process.platform === "win32").each(SERVERS)("%s", (name) => {
  const running: { bare?: RunningServer; guarded?: RunningServer } = {};
  const both = async (ask: FailureCase["ask"]): Promise<[ServerAnswer, ServerAnswer]> =>
    Promise.all([answerOf(running.bare as RunningServer, ask), answerOf(running.guarded as RunningServer, ask)]);

  beforeAll(async () => {
    const started = await Promise.allSettled([startPublicServer(name), startPublicServer(name, GUARD_OPTIONS)]);
    const [bare, guarded] = started.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    Object.assign(running, { bare, guarded });
    for (const one of started) if (one.status === "rejected") throw one.reason;
  });

  afterAll(async () => {
    await Promise.all([running.bare?.close(), running.guarded?.close()]);
  });

  test("every tool succeeds with the same result, bare and guarded", async () => {
    const [bareTools, guardedTools] = await both(({ client }) => client.listTools());
    expect(guardedTools.wire).toEqual(bareTools.wire);
    const names = (bareTools.wire as { tools: { name: string }[] }).tools.map((tool) => tool.name);
    expect(new Set(SUCCESSES[name].map(([tool]) => tool))).toEqual(new Set(names));
    for (const success of SUCCESSES[name]) {
      const [bare, guarded] = await both(callOf(success));
      expect([bare.failed, guarded.failed], success[0]).toEqual([false, false]);
      expect(withoutTimes(guarded.wire), success[0]).toEqual(withoutTimes(bare.wire));
    }
  });

  test("texts of the authors arrive, secrets do not, and every failure has a fault", async () => {
    const incidents: string[] = [];
    const rows = [tableRow(name, "bare", "guarded")];
    for (const failure of FAILURES[name]) {
      const [bare, guarded] = await both(failure.ask);
      const mark = failure.secret !== undefined ? "LEAKS " : "";
      if (guarded.fault?.incident !== undefined) incidents.push(guarded.fault.incident);
      rows.push(tableRow(failure.name, mark + bare.text, guarded.text));
      try {
        checkAnswers(failure, bare, guarded);
      } catch (cause) {
        throw new Error(`${failure.name}: ${bare.text} → ${guarded.text}`, { cause });
      }
    }
    console.log(rows.join("\n"));
    // stderr is another pipe, and may arrive later than the answer.
    const stderr = () => running.guarded?.stderr() ?? "";
    await expect.poll(() => incidents.filter((id) => !stderr().includes(id))).toEqual([]);
    expect(incidents.length).toBeGreaterThan(5);
    expect(findLeaks(stderr(), [REGISTERED_SECRET])).toEqual([]);
  });

  test("with `allow: system` the model reads the messages of the file system", async () => {
    const allowed = await startPublicServer(name, { foreignText: "quote", allow: ["path", "system"] });
    try {
      for (const failure of FAILURES[name].filter(({ stoppedBy }) => stoppedBy === "system.errno")) {
        const bare = await answerOf(running.bare as RunningServer, failure.ask);
        expectQuoted(bare, await answerOf(allowed, failure.ask), bare.text.split(",")[0] as string);
      }
    } finally {
      await allowed.close();
    }
  });
});

/** Removes the times of a file. */
function withoutTimes(wire: unknown): unknown {
  return JSON.parse(JSON.stringify(wire).replaceAll(/(created|modified|accessed): [^\\"]+/g, "$1"));
}
