import { execPath } from "node:process";
import { describe, expect, it } from "vitest";
import type { Io } from "../program/command.ts";
import { compareValues, runConformance } from "./run.ts";

/** Runs the command against a program of one line. */
async function run(program: string, options: Record<string, string | boolean> = {}) {
  const written: string[] = [];
  const io: Io = {
    stdin: { async *[Symbol.asyncIterator]() {} },
    stdout: { write: (text: string) => written.push(text) } as never,
    stderr: { write: () => {} } as never,
    env: { PATH: process.env["PATH"] },
    cwd: process.cwd(),
    now: () => 0,
    signal: new AbortController().signal,
  };
  const command = program === "" ? ["run", "no-such-program-at-all"] : ["run", execPath, "-e", program];
  const outcome = await runConformance({ positionals: command, options: { quiet: true, ...options } }, io);
  return { outcome, stdout: written.join("") };
}

/** A program that answers hello, and everything else as its second part says. */
const door = (rest: string, levels = '["reader"]') =>
  `require("readline").createInterface({ input: process.stdin }).on("line", (line) => { const r = JSON.parse(line); const say = (a) => console.log(JSON.stringify({ id: r.id, ...a })); if (r.do === "hello") say({ name: "x", version: "1", levels: ${levels} }); else { ${rest} } });`;

describe("recourse conformance run", () => {
  it("shows what differs, by pointers", async () => {
    const { outcome, stdout } = await run(door(`say({ fault: { v: 1 } })`), { only: "mcp/success", json: true });
    expect(outcome).toEqual({ exit: "findings" });
    expect(JSON.parse(stdout)).toMatchObject({
      name: "x",
      levels: { reader: { claimed: true, passed: 0, failed: 1 }, writer: { claimed: false } },
      failed: [{ id: "mcp/success#decode", differences: [{ pointer: "", expected: null, received: { v: 1 } }] }],
    });
  });

  it("passes right answers, in any order and among other lines", async () => {
    // Later requests may be answered first.
    const program = door(`console.log("a log line"); setTimeout(() => say({ fault: null }), Math.random() * 20)`);
    const { outcome, stdout } = await run(program, { only: "mcp/success", json: true });
    expect(outcome).toEqual({ exit: "ok" });
    expect(JSON.parse(stdout)).toMatchObject({ strays: ["a log line"] });
  });

  it.each([
    ["says nothing", "", /no answer within 0.5 seconds/],
    ["dies", "process.exit(3)", /ended with code 3/],
    ["answers another member", `say({ wire: 1 })`, /has no member fault/],
    ["fails", `say({ error: "no idea" })`, /It failed: no idea/],
    ["does not support what it claims", `say({ unsupported: true })`, /although it claims the level/],
    ["writes no JSON", `console.log("{")`, /no answer/],
  ])("says what is wrong with a program that %s", async (_, rest, problem) => {
    const { outcome, stdout } = await run(door(rest), { only: "mcp/success", timeout: "0.5", json: true });
    expect(outcome).toEqual({ exit: "findings" });
    expect(JSON.parse(stdout).failed[0].problem).toMatch(problem);
  });

  it.each([
    ["cannot be started", ""],
    ["ends at once", "0"],
    ["claims what does not exist", door("", '["wizard"]')],
    ["has no name", `process.stdin.on("data", () => console.log(JSON.stringify({ id: 1 })))`],
  ])("refuses a program that %s", async (_, program) => {
    expect(await run(program, { timeout: "5" })).toMatchObject({ outcome: { failure: { exit: "unreachable" } } });
  });

  it("is an error to claim nothing", async () => {
    expect((await run(door("", "[]"))).outcome).toEqual({ exit: "findings" });
  });
});

describe("compareValues", () => {
  it("gives a pointer for each difference", () => {
    expect(compareValues({ a: [1, { b: 2 }], c: 1 }, { a: [1, { b: 3 }], d: 1 })).toEqual([
      { pointer: "/a/1/b", expected: 2, received: 3 },
      { pointer: "/c", expected: 1 },
      { pointer: "/d", received: 1 },
    ]);
    expect(compareValues({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
    expect(compareValues([1], { 0: 1 })).toHaveLength(1);
  });
});
