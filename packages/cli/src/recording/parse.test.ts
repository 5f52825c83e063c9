import { expect, test } from "vitest";
import { asCommandLine } from "../report/excerpt.ts";
import { parseRecording, serializeRecording } from "./parse.ts";
import type { RecordedExchange, RecordedTarget, Recording } from "./recording.ts";

const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "it's $(here)\n\u001b[31m" } };
const text = JSON.stringify(message);
const exchange: RecordedExchange = {
  id: "2025-11-25/unknown-tool/first",
  stimulus: "unknown-tool",
  variant: "first",
  sent: {
    message,
    text,
    bytes: text.length,
    http: { method: "POST", headers: { authorization: "‹hidden›", origin: "https://a.invalid", accept: "" } },
  },
  answer: { kind: "closed", ms: 3, exitCode: null, signal: "SIGKILL" },
};
const target: RecordedTarget = {
  transport: "http",
  url: "http://127.0.0.1:1/mcp?a='b'",
  loopback: true,
  credentials: true,
  planted: { canary: "c", canaryName: "C", bait: "b" },
};
const recording: Recording = {
  format: "recourse-recording/1",
  version: "0.1.0",
  startedAt: "2026-11-16T00:00:00.000Z",
  durationMs: 1,
  target,
  eras: [
    {
      revision: "2025-11-25",
      negotiated: "2025-11-25",
      server: { name: "a", version: "1" },
      capabilities: {},
      tools: [],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      called: [],
      spared: [],
      exchanges: [exchange],
      strayLines: [],
      stderr: "",
    },
  ],
  unspoken: [],
};

test("what was written is read", () => {
  expect(parseRecording(serializeRecording(recording))).toEqual({ ok: true, recording });
});

test.each([
  ["", "not JSON"],
  ["[".repeat(100_000), "not JSON, or nested too deeply"],
  ["{}", "not a recording"],
  ['{"format":"recourse-recording/9"}', "recourse-recording/9; this version reads recourse-recording/1"],
])("%.20s is refused with a reason", (source, reason) => {
  const parsed = parseRecording(source);
  expect(parsed.ok ? "" : parsed.because).toContain(reason);
});

test("every member that a check relies on is looked at", () => {
  const broken = (edit: (copy: Record<string, never>) => void): string => {
    const copy = JSON.parse(serializeRecording(recording)) as Record<string, never>;
    edit(copy);
    const parsed = parseRecording(JSON.stringify(copy));
    return parsed.ok ? "" : parsed.because;
  };
  const era = (copy: Record<string, never>) =>
    (copy["eras"] as unknown as Record<string, unknown>[])[0] as Record<string, unknown>;
  const first = (copy: Record<string, never>) =>
    (era(copy)["exchanges"] as Record<string, unknown>[])[0] as Record<string, unknown>;
  expect(broken((copy) => delete copy["target"])).toContain("member target ");
  expect(broken((copy) => Object.assign(copy, { eras: {} }))).toContain("member eras ");
  expect(broken((copy) => Object.assign(era(copy), { revision: "1900-01-01" }))).toContain("eras.0.revision");
  expect(broken((copy) => Object.assign(era(copy), { tools: [1] }))).toContain("eras.0.tools.0");
  expect(broken((copy) => Object.assign(first(copy), { stimulus: "toString" }))).toContain("exchanges.0.stimulus");
  expect(broken((copy) => Object.assign(first(copy), { answer: { kind: "constructor" } }))).toContain("answer.kind");
  expect(
    broken((copy) => Object.assign(first(copy), { answer: { kind: "message", ms: 1, text: "", bytes: 0 } })),
  ).toContain("answer.message");
  expect(broken((copy) => Object.assign(first(copy), { sent: { text: 5 } }))).toContain("sent.text");
  expect(broken((copy) => (era(copy)["exchanges"] as unknown[]).push(first(copy)))).toContain("Two exchanges");
  expect(broken(() => {})).toBe("");
});

test("a line for curl quotes everything, leaves headers out and names hidden ones", () => {
  const line = asCommandLine(exchange, target) ?? "";
  expect(line).toContain(`-H 'authorization: '"$AUTHORIZATION"`);
  expect(line).toContain("-H 'accept:'");
  expect(line).toContain("-H 'origin: https://a.invalid'");
  expect(line).toContain(String.raw`it'\''s $(here)\n\u001b[31m`);
  expect(line).toContain(String.raw`'http://127.0.0.1:1/mcp?a='\''b'\'''`);
  expect(line).not.toContain("\u001b");
});

test("control characters cannot reach the terminal, and a cut text has no line", () => {
  const plain = (sent: RecordedExchange["sent"]) => asCommandLine({ ...exchange, sent }, target);
  expect(plain({ text: "a\u001b'\\", bytes: 4 })).toContain(String.raw`$'a\x1b\'\\'`);
  expect(plain({ text: "cut", bytes: 4_000 })).toBeUndefined();
  expect(asCommandLine(exchange, { ...target, transport: "stdio" })).toBe(text);
});
