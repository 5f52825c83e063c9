// Programs that attack or break over stdio.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { gather } from "../../src/gather/gather.ts";
import { processesWith } from "../safety/snapshot.ts";
import { exchangesOf, recordingOf } from "../support/record.ts";

const OLDER = { eras: ["2025-11-25"] } as const;

/** A program that answers the handshake and lists; `then` handles every other request. */
function script(then: string) {
  const code = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const info = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      let m; try { m = JSON.parse(line) } catch { return }
      const { id, method, params } = m;
      if (method === "initialize") send({ id, result: info });
      else if (method === "ping") send({ id, result: {} });
      else if (method === "tools/list") send({ id, result: { tools: [] } });
      else if (id === "ask") console.log("roots: " + JSON.stringify(m.result));
      else if (method !== undefined && id !== undefined) { ${then} }
    });`;
  return { transport: "stdio", command: process.execPath, args: ["-e", code] } as const;
}

test("a line without an end stops the probe, and memory stays small", async () => {
  const before = process.memoryUsage().rss;
  const recording = await recordingOf(
    script(
      `const piece = Buffer.alloc(65536, 120); const flood = () => { while (process.stdout.write(piece)); process.stdout.once("drain", flood) }; flood()`,
    ),
    OLDER,
  );
  expect(recording.eras[0]?.leftOut?.some(({ because }) => because.includes("MiB on stdout"))).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test("a program that dies is started again three times, and the stimulus is named", async () => {
  const mark = randomUUID();
  const recording = await recordingOf(
    script(
      `if (method === "tools/call" && params.name === "constructor") process.exit(9); send({ id, error: { code: -32601, message: "no" } })`,
    ),
    { ...OLDER, env: { RECOURSE_TEST_MARK: mark } },
  );
  expect(exchangesOf(recording, "prototype-name", "constructor")[0]?.answer).toMatchObject({
    kind: "closed",
    exitCode: 9,
  });
  expect(exchangesOf(recording, "prototype-name", "toString")[0]?.answer.kind).toBe("message");
  expect(exchangesOf(recording, "close-stdin")[0]?.answer).toMatchObject({ kind: "closed", exitCode: 0 });
  expect(processesWith(mark)).toEqual([]);
});

test("a program that dies of everything is not started for ever", async () => {
  const recording = await recordingOf(script("process.exit(3)"), OLDER);
  const [era] = recording.eras;
  expect(era?.exchanges.filter(({ answer }) => answer.kind === "closed").length).toBeGreaterThan(2);
  expect(era?.leftOut?.some(({ because }) => because === "The program ended 4 times.")).toBe(true);
});

test("requests of the server are answered, stray lines are kept, and a wrong id is a stray", async () => {
  const recording = await recordingOf(
    script(`
      console.log("listening");
      if (method !== "recourse/probe") return send({ id, error: { code: -32601, message: "no" } });
      send({ id: "ask", method: "roots/list" });
      send({ id: String(id), result: {} });
    `),
    { ...OLDER, only: ["unknown-method"], waits: { requestMs: 2_000 } },
  );
  expect(recording.eras[0]?.strayLines).toContain("listening");
  expect(recording.eras[0]?.strayLines).toContain('roots: {"roots":[]}');
  expect(exchangesOf(recording, "unknown-method")[0]?.answer).toMatchObject({
    kind: "silent",
    strays: [{ result: {} }],
  });
});

test("a program that does not start, or ends at once, is unreachable", async () => {
  const options = { signal: new AbortController().signal, now: Date.now, ...OLDER };
  const missing = await gather({ transport: "stdio", command: "recourse-probe-missing", args: [] }, options);
  expect(missing).toMatchObject({ ok: false, failure: { code: "unreachable" } });
  const args = ["-e", "console.error('no database URL'); process.exit(1)"];
  const ended = await gather({ transport: "stdio", command: process.execPath, args }, options);
  expect(ended).toMatchObject({
    ok: false,
    failure: { code: "unreachable", detail: expect.stringContaining("no database URL") },
  });
});

test("an abort returns what is known and leaves no process", async () => {
  const mark = randomUUID();
  const abort = new AbortController();
  const gathered = await gather(script(`send({ id, error: { code: -32601, message: "no" } })`), {
    ...OLDER,
    env: { RECOURSE_TEST_MARK: mark },
    signal: abort.signal,
    now: Date.now,
    onProgress: ({ stimulus }) => {
      if (stimulus === "long-tool-name") abort.abort();
    },
  });
  expect(gathered.ok && gathered.recording.interrupted).toBe(true);
  if (!gathered.ok) return;
  expect(exchangesOf(gathered.recording, "unknown-tool")).toHaveLength(2);
  expect(gathered.recording.eras[0]?.exchanges.every(({ answer }) => answer.kind !== "closed")).toBe(true);
  expect(processesWith(mark)).toEqual([]);
});
