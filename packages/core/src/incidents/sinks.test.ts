import { afterEach, describe, expect, it } from "vitest";
import { unauthorized } from "../reasons/library/auth.ts";
import { internal } from "../reasons/library/core.ts";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { deliverIncident, type Incident, type Sink, sinkFailures } from "./incident.ts";
import { combineSinks, type LoggerLike, loggerSink, stderrSink } from "./sinks.ts";

const at = "2026-01-02T03:04:05.000Z";
const fault = internal.fault();
const LINE =
  'kind=internal class=terminal reason=core/internal effect=possible next=stop origin=server basis=stated message="The call failed because of an internal error."';

let undo: (() => void) | undefined;
afterEach(() => undo?.());

function written(incident: Incident): string {
  const texts: string[] = [];
  stderrSink({ write: (text) => texts.push(text) })(incident);
  return texts.join("");
}

describe("stderrSink", () => {
  it("writes one line with what is known", () => {
    expect(written({ fault, at })).toBe(`at=${at} ${LINE}\n`);
    expect(written({ fault, at, method: "tools/call", tool: "a b", durationMs: 12, code: -32603 })).toBe(
      `at=${at} method=tools/call tool="a b" duration_ms=12 code=-32603 ${LINE}\n`,
    );
  });

  it("writes the stack of the cause and of its causes, indented", () => {
    const cause = new Error("outer", { cause: new Error("inner") });
    const [line, ...stack] = written({ fault, at, cause }).split("\n");
    expect(line).toBe(`at=${at} ${LINE}`);
    expect(stack[0]).toBe("  Error: outer");
    expect(stack).toContain("  caused by Error: inner");
    expect(stack.slice(0, -1).every((one) => one.startsWith("  "))).toBe(true);
  });

  it("does not let a thrown text add a line or move the cursor", () => {
    const text = written({ fault, at, cause: "a\nat=forged kind=none\u001b[2J\r\u2028b" });
    expect(text).toBe(`at=${at} ${LINE}\n  thrown string: a\n  at=forged kind=none [2J b\n`);
  });

  it("cuts out secrets of the process or of the request", () => {
    undo = registerSecrets("hunter2hunter2");
    const secrets = createSecretFilter(["s3cr3t-t0ken-value"]);
    const cause = "one hunter2hunter2\ntwo\nthree s3cr3t-t0ken-value";
    expect(written({ fault, at, cause, secrets })).toBe(
      `at=${at} ${LINE}\n  thrown string: one [removed]\n  two\n  three [removed]\n`,
    );
  });

  it("replaces the name of a tool that is a secret", () => {
    undo = registerSecrets("hunter2hunter2");
    expect(written({ fault, at, tool: "hunter2hunter2" })).toContain('tool="[removed]"');
  });

  it("survives hostile causes", () => {
    const hostile = new Proxy(
      {},
      { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() },
    );
    const circular = new Error("round");
    circular.cause = circular;
    for (const cause of [hostile, circular, Symbol("s"), 1n]) expect(written({ fault, at, cause })).toContain(LINE);
  });
});

describe("loggerSink", () => {
  const lines: unknown[] = [];
  const logger = {
    error: (fields: object, message: string) => lines.push(["error", fields, message]),
    warn: (fields: object, message: string) => lines.push(["warn", fields, message]),
  };
  it("logs failures as errors with their fields, and mistakes of callers as warnings", () => {
    lines.length = 0;
    loggerSink(logger)({ fault, at, tool: "t", cause: "boom", secrets: createSecretFilter([]) });
    const refused = unauthorized.fault();
    loggerSink(logger)({ fault: refused, at });
    expect(lines).toEqual([
      ["error", { fault, at, tool: "t", err: { stack: "thrown string: boom" } }, fault.message],
      ["warn", { fault: refused, at }, "Valid credentials are required."],
    ]);
  });

  it.each([
    ["critical", ["fatal", "error", "error"]],
    ["error", ["error", "error", "error"]],
    ["warning", ["warn", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
  ] as const)("logs what is %s at the nearest level that the logger has", (severity, levels) => {
    const methods = ["fatal", "error", "warn", "info"] as const;
    const loggers = [methods, ["error", "warn"], ["error"]].map((has) => {
      const called: string[] = [];
      const logger = Object.fromEntries(has.map((name) => [name, () => called.push(name)])) as unknown as LoggerLike;
      loggerSink(logger)({ fault, at, severity });
      return called;
    });
    expect(loggers).toEqual(levels.map((level) => [level]));
  });

  it("keeps secrets out of every field", () => {
    undo = registerSecrets("hunter2hunter2");
    lines.length = 0;
    const more = { body: "key hunter2hunter2", stderr: ["started", "key s3cr3t-t0ken-value"], exit: { code: 1 } };
    const secrets = createSecretFilter(["s3cr3t-t0ken-value"]);
    loggerSink(logger)({ fault, at, tool: "hunter2hunter2", secrets, ...more });
    const stderr = ["started", "key [removed]"];
    const fields = { fault, at, tool: "[removed]", body: "key [removed]", stderr, exit: { code: 1 } };
    expect(lines).toEqual([["error", fields, fault.message]]);
  });

  it("works with a logger that has only errors", () => {
    lines.length = 0;
    loggerSink({ error: logger.error })({ fault: unauthorized.fault(), at });
    expect(lines).toHaveLength(1);
  });
});

describe("names that callers choose", () => {
  it("do not fill the log", () => {
    const logged: unknown[] = [];
    loggerSink({ error: (fields) => logged.push(fields) })({ fault, at, tool: "x".repeat(1_000_000) });
    expect(JSON.stringify(logged).length).toBeLessThan(20_000);
  });
});

describe("a sink that fails", () => {
  const broken: Sink = () => {
    throw new Error("no disk");
  };
  it("is counted and otherwise ignored", async () => {
    const before = sinkFailures();
    const seen: string[] = [];
    combineSinks(
      broken,
      async () => Promise.reject(new Error("later")),
      (incident) => seen.push(incident.at),
    )({ fault, at });
    deliverIncident(broken, { fault, at });
    stderrSink({ write: broken as never })({ fault, at });
    loggerSink({ error: broken as never })({ fault, at });
    await new Promise(setImmediate);
    expect(seen).toEqual([at]);
    expect(sinkFailures() - before).toBe(5);
  });
});
