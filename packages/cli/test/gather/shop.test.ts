// Probes the same shop on both official SDKs, over both transports.
import { isDeepStrictEqual } from "node:util";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { replay } from "../../src/gather/replay.ts";
import { parseRecording, serializeRecording } from "../../src/recording/parse.ts";
import { type Recording, STIMULI, type StimulusName } from "../../src/recording/recording.ts";
import { asCommandLine } from "../../src/report/excerpt.ts";
import { shop } from "../servers/shop-v2.ts";
import { exchangesOf, listen, program, recordingOf, textOf, withHttpProgram } from "../support/record.ts";

const options = { signal: new AbortController().signal, now: Date.now };

/** What differs between two probes of the same server: times. */
function lasting(recording: Recording): unknown {
  const { startedAt: _startedAt, durationMs: _durationMs, ...rest } = recording;
  return JSON.parse(
    JSON.stringify(rest, (key, value) => (key === "ms" || key === "date" || key === "url" ? 0 : value)),
  );
}

function sentGroups(recording: Recording, era: number): Set<StimulusName> {
  return new Set(recording.eras[era]?.exchanges.map(({ stimulus }) => stimulus));
}

describe("SDK 2 over HTTP", () => {
  const listener = toNodeListener(createMcpHandler(shop));
  let recording: Recording;
  beforeAll(async () => {
    recording = await recordingOf(listener);
  }, 120_000);

  test("both eras are recorded, with every group that applies", () => {
    expect(recording.eras.map(({ revision, negotiated }) => [revision, negotiated])).toEqual([
      ["2025-11-25", "2025-11-25"],
      ["2026-07-28", "2026-07-28"],
    ]);
    expect(recording.eras[0]).toMatchObject({
      server: { name: "shop", version: "1.0.0" },
      called: ["get_item", "list_items"],
    });
    const left = new Set<StimulusName>(["prompt-argument", "unknown-completion", "close-stdin"]);
    const expected = new Set((Object.keys(STIMULI) as StimulusName[]).filter((name) => !left.has(name)));
    expect(sentGroups(recording, 0)).toEqual(expected);
    expected.delete("ping");
    expect(sentGroups(recording, 1)).toEqual(expected);
  });

  test("two probes of the same server record the same", async () => {
    let first = lasting(recording);
    let second = lasting(await recordingOf(listener));
    // On a busy machine an answer may come too late once, and a stream in other pieces.
    for (let tries = 0; tries < 3 && !isDeepStrictEqual(first, second); tries += 1)
      [first, second] = [second, lasting(await recordingOf(listener))];
    expect(second).toEqual(first);
  }, 240_000);

  test("a recording can be written and read", () => {
    expect(parseRecording(serializeRecording(recording))).toEqual({ ok: true, recording });
    expect(recording.version).toBe(manifest.version);
  });

  test("fewer than 160 requests are sent in an era", () => {
    for (const { exchanges } of recording.eras) expect(exchanges.length).toBeLessThan(160);
  });

  test("the ladder climbs in order, each set with the fields that are wrong", () => {
    const ladder = exchangesOf(recording, "wrong-arguments").filter(
      ({ id, tool }) => id.startsWith("2026") && tool === "get_item",
    );
    expect(ladder.map(({ variant }) => variant)).toEqual(["type", "type-again", "missing", "enum", "range", "bait"]);
    expect(ladder[0]?.sent.wrong?.map(({ field, rule }) => [field, rule])).toEqual([
      ["id", "type"],
      ["count", "type"],
      ["kind", "type"],
    ]);
    expect(exchangesOf(recording, "wrong-arguments", "extra-key").map(({ tool }) => tool)).toEqual([
      "list_items",
      "list_items",
    ]);
  });

  test("statuses, streams and refusals are seen as they are", () => {
    const status = (stimulus: StimulusName, variant?: string) =>
      exchangesOf(recording.eras[1] ?? recording, stimulus, variant).map(({ answer }) =>
        "http" in answer ? answer.http?.status : answer.kind,
      )[0];
    expect(status("unknown-method")).toBe(404);
    expect(status("http-edge", "put")).toBe(405);
    expect(status("http-edge", "text-plain")).toBe(415);
    expect(status("unknown-version", "body")).toBe(400);
    expect(status("long-message", "itself")).toBe(413);
    expect(status("long-message", "next")).toBe(200);
    const [first] = exchangesOf(recording, "list");
    expect(first?.answer).toMatchObject({ kind: "message", http: { streamed: true } });
    const hostile = exchangesOf(recording.eras[1] ?? recording, "hostile-tool-name")[0];
    expect(hostile?.sent.http?.headers["mcp-name"]).toMatch(/^=\?base64\?/);
  });

  test("an exchange is repeated, also one whose text is not kept whole", async () => {
    const server = await listen(toNodeListener(createMcpHandler(shop)));
    const target = { transport: "http", url: server.url } as const;
    try {
      for (const [stimulus, variant] of [
        ["unknown-tool", "first"],
        ["deep-json"],
        ["malformed-message", "utf8"],
        ["http-edge", "put"],
      ] as const) {
        for (const one of exchangesOf(recording, stimulus, variant)) {
          const repeated = await replay(target, one, options);
          expect(repeated.ok && textOf(repeated.answer), one.id).toBe(textOf(one.answer));
        }
      }
    } finally {
      await server.close();
    }
  });

  test("an exchange becomes a line for curl", () => {
    const [one] = exchangesOf(recording.eras[1] ?? recording, "unknown-tool");
    const line = one && asCommandLine(one, recording.target);
    expect(line).toContain("curl -isS -H 'content-type: application/json'");
    expect(line).toContain("-H 'mcp-method: tools/call'");
    expect(line).toContain(`'${recording.target.url}'`);
    const [deep] = exchangesOf(recording, "deep-json");
    expect(deep && asCommandLine(deep, recording.target)).toBeUndefined();
  });
});

test("SDK 2 over stdio: both eras, two processes each", async () => {
  const recording = await recordingOf(program("shop-v2"));
  expect(recording.eras.map(({ revision }) => revision)).toEqual(["2025-11-25", "2026-07-28"]);
  for (const era of recording.eras) {
    expect(era.strayLines).toEqual([]);
    expect(exchangesOf(era, "malformed-message", "cut")[0]?.answer.kind).toBe("silent");
    expect(exchangesOf(era, "long-message", "itself")[0]?.answer.kind).toBe("closed");
    expect(exchangesOf(era, "close-stdin")[0]?.answer).toMatchObject({ kind: "closed", exitCode: 0 });
    expect(exchangesOf(era, "notification").map(({ answer }) => answer.kind)).toEqual(["silent", "silent"]);
  }
  const [one] = exchangesOf(recording, "unknown-tool");
  expect(one && asCommandLine(one, recording.target)).toBe(one?.sent.text);
  const repeated = one && (await replay(program("shop-v2"), one, options));
  expect(repeated?.ok && textOf(repeated.answer)).toBe(textOf(one?.answer));
});

test("SDK 1 over HTTP: a session, which is ended and not kept", async () => {
  const { recording, left } = await withHttpProgram("shop-v1", async (url) => {
    const probed = await recordingOf({ transport: "http", url });
    const response = await fetch(url, { method: "GET" });
    return { recording: probed, left: await response.text() };
  });
  expect(left).toBe("sessions: 0");
  expect(recording.eras.map(({ revision }) => revision)).toEqual(["2025-11-25"]);
  expect(recording.unspoken[0]?.revision).toBe("2026-07-28");
  const [list] = exchangesOf(recording, "list");
  expect(list?.sent.http?.headers["mcp-session-id"]).toBe("‹hidden›");
  expect(exchangesOf(recording, "handshake")[0]?.answer).toMatchObject({
    http: { headers: { "mcp-session-id": "‹hidden›" } },
  });
  expect(exchangesOf(recording, "http-edge", "unknown-session")[0]?.answer).toMatchObject({ http: { status: 404 } });
});
