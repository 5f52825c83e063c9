import { isNightly } from "@recourse/test-kit/runs";
import { findLeaks } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GuardOptions } from "../../../src/server/index.ts";
import { ask, FAILURES, type FailureCase, QUOTED, SAID, successesOf } from "./cases.ts";
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
  { says, secret, sentByCaller, reason }: FailureCase,
  bare: ServerAnswer,
  guarded: ServerAnswer,
): void {
  expect([bare.failed, bare.fault, guarded.failed]).toEqual([true, undefined, true]);
  expect(guarded.fault?.reason).toBe(reason);
  if (secret !== undefined) {
    expect(findLeaks(bare.wire, [secret])).toEqual([secret]);
    if (!sentByCaller) expect(findLeaks(guarded.wire, [secret])).toEqual([]);
    return;
  }
  if (says !== undefined) expect(bare.text).toContain(says);
  if (reason === SAID && says !== undefined) expectSentence(bare, guarded, says);
  else if (reason === QUOTED && says !== undefined) expect(guarded.fault?.quote?.text).toContain(says);
}

/** The sentence of the author stands alone, and only what a rule finds is missing from it. */
function expectSentence(bare: ServerAnswer, { text }: ServerAnswer, words: string): void {
  expect(text).toContain(words);
  const parts = oneLine(text).replace(/…$/, "").split("[removed]");
  const whole = oneLine(bare.text.replaceAll("\u0000", ""));
  for (const part of parts) expect(whole).toContain(oneLine(part));
}

// Each server is started three times, as a process.
const SERVERS: readonly PublicServer[] = isNightly ? (Object.keys(PUBLIC_SERVERS) as PublicServer[]) : ["filesystem"];

describe.skipIf(process.platform === "win32").each(SERVERS)("%s", (name) => {
  const running: { bare?: RunningServer; guarded?: RunningServer } = {};
  const both = async (send: (server: RunningServer) => Promise<unknown>): Promise<[ServerAnswer, ServerAnswer]> =>
    Promise.all([answerOf(running.bare as RunningServer, send), answerOf(running.guarded as RunningServer, send)]);

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
    expect(new Set(successesOf(name).map(({ call }) => call))).toEqual(new Set(names));
    for (const success of successesOf(name)) {
      const [bare, guarded] = await both(ask(success));
      expect([bare.failed, guarded.failed], success.call).toEqual([false, false]);
      expect(withoutTimes(guarded.wire), success.call).toEqual(withoutTimes(bare.wire));
    }
  });

  test("texts of the authors arrive, secrets do not, and every failure has a fault", async () => {
    const incidents: string[] = [];
    const rows = [tableRow(name, "bare", "guarded")];
    for (const failure of FAILURES[name]) {
      const [bare, guarded] = await both(ask(failure));
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
});

/** Removes the times of a file. */
function withoutTimes(wire: unknown): unknown {
  return JSON.parse(JSON.stringify(wire).replaceAll(/(created|modified|accessed): [^\\"]+/g, "$1"));
}
