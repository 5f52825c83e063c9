// What the commands of operators show of a gateway that is broken or hostile, over real HTTP.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { approvalsCommand, statusCommand } from "../commands/operate.ts";
import { runProgram } from "../program/run.ts";

const NOW = Date.parse("2026-11-18T12:00:00.000Z");
const KEY = "rk_0123abcd_secret_of_an_operator";
const IDS = ["01M7HXRMR83H8Q9JKGBAVMDXX4", "01M7HXRMR83H8Q9JKGBAVMDXX5"] as const;
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

type Answers = Readonly<Record<string, unknown>>;
const HEALTH = {
  status: "ok",
  name: "gw",
  version: "1.0.0",
  store: "shared",
  startedAt: minutesAgo(180),
  parts: { database: "works", limits: "works", approvals: "works", breakers: "works", incidents: "works" },
  why: [],
};
const GONE = { status: 503, detail: "down", fault: { reason: "core/unavailable" } };

/** Runs a command against a server with these answers, by path. What is not listed is empty. */
async function operate(args: readonly string[], answers: Answers, columns = 80) {
  const asked: string[] = [];
  const server = createServer((incoming, out) => {
    const [path = ""] = (incoming.url ?? "").replace("/admin/v1", "").split("?");
    asked.push(`${incoming.method} ${path}`);
    const answer = answers[path] ?? { items: [], next: null };
    const { status } = answer as { status?: unknown };
    out.writeHead(typeof status === "number" ? status : 200, { "content-type": "application/json" });
    out.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const said = { out: "", err: "" };
  const output = (name: keyof typeof said) => ({
    columns,
    write(text: string) {
      said[name] += text;
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exit = await runProgram([statusCommand, approvalsCommand], args, {
    stdin: (async function* () {})(),
    stdout: output("out"),
    stderr: output("err"),
    env: { GATEWAY_ADMIN_KEY: KEY, GATEWAY_ADMIN_URL: url, LANG: "en_US.UTF-8" },
    cwd: ".",
    now: () => NOW,
    signal: new AbortController().signal,
  });
  expect(said.out + said.err).not.toContain(KEY);
  return { exit, ...said, asked };
}

describe("status", () => {
  it("shows a hold of keys as what it is, not as a store that is down", async () => {
    const text =
      "The database was restored. Calls with a new idempotency key are refused until 2026-11-18T13:00:00.000Z. Other calls continue.";
    const { exit, out } = await operate(
      ["status"],
      { "/health": { ...HEALTH, why: [{ part: "hold", since: minutesAgo(5), text }] } },
      200,
    );
    expect(exit).toBe("findings");
    expect(out).toContain(text);
    expect(out).not.toContain("does not answer");
  });

  it("shows a store that is down as down, and the rest all the same", async () => {
    const { exit, out } = await operate(["status"], {
      "/health": {
        ...HEALTH,
        parts: { ...HEALTH.parts, database: "away", approvals: "away", incidents: "away" },
        why: [
          { part: "incidents", since: minutesAgo(5) },
          { part: "sessions", since: minutesAgo(4) },
          { part: "upstream shop", since: minutesAgo(3) },
        ],
      },
      "/upstreams": {
        items: [{ upstream: "shop", listed: "kept", tools: 3, requests: 9, failures: 2, downSince: minutesAgo(3) }],
      },
      "/incident-classes": GONE,
      "/approvals": GONE,
    });
    expect(exit).toBe("findings");
    expect(out.replace(/:\d+\/admin/, ":8081/admin")).toMatchInlineSnapshot(`
      "✖ gw has 2 problems
        1.0.0 · store shared · up for 3 h · http://127.0.0.1:8081/admin/v1

        ✖ These parts have not worked for 5 min, since a store does not answer:
          database, approvals, incidents, sessions.
          → recourse serve --check
        ✖ The upstream shop has not answered for 3 min.
          → recourse serve --check
        ℹ Causes are not shown: a store that the gateway needs for this does not
          answer.
        ℹ Approvals are not shown: a store that the gateway needs for this does not
          answer.

      Upstreams
        ✖  shop  has not answered for 3 min; 3 tools, 9 requests, 2 failed

      Parts
        ✖  down  database, approvals, incidents
        ✔  up    limits, breakers

      Requests of the last hour
        ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  0 requests
        ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  0 failed
      "
    `);
  });

  it("says which parts an older gateway does not tell", async () => {
    const missing = { status: 404, fault: { reason: "core/not_found" } };
    const { out } = await operate(["status", "--json"], { "/health": HEALTH, "/call-rates": missing });
    expect(JSON.parse(out)).toMatchObject({
      problems: [],
      notes: ["Calls are not shown: this gateway is older than this program."],
    });
  });

  it("fails as a whole only if the gateway does not tell its health", async () => {
    const { exit, err } = await operate(["status", "--json"], { "/health": GONE });
    expect([exit, JSON.parse(err).error.code]).toEqual(["unreachable", "store"]);
  });

  it("bounds and escapes what a hostile server answers", async () => {
    const evil = `\u001b]0;owned\u0007\n${"x".repeat(2_000)}`;
    const class_ = { fingerprint: evil, reason: evil, tool: evil, message: evil, count: -1e308, lastSeen: evil };
    const { out, asked } = await operate(["status"], {
      "/health": {
        ...HEALTH,
        name: evil,
        version: evil,
        startedAt: evil,
        parts: { [evil]: evil },
        why: [{ part: evil }],
      },
      "/upstreams": {
        items: [...Array(500)].map(() => ({
          upstream: evil,
          listed: evil,
          tools: "x",
          lastFailure: { incident: evil },
        })),
      },
      "/breakers": { items: [...Array(500)].map((_, at) => ({ upstream: evil, tool: `${evil}${at}`, state: evil })) },
      "/call-rates": { since: evil, groups: [...Array(500)].map(() => ({ calls: 1e300, total: [1e300, evil] })) },
      "/incident-classes": { items: [...Array(500)].map(() => class_) },
      "/incidents": { items: [{ id: evil }] },
      "/approvals": { items: [null, 3, "x", { expiresAt: evil }], next: evil },
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(out.length).toBeLessThan(60_000);
    expect(asked.length).toBeLessThan(20);
  });
});

describe("approvals", () => {
  const approval = (id: string, change: object = {}) => ({
    id,
    state: "pending",
    tenant: "acme",
    caller: '["https://login.example","acme","ann@example.com"]',
    tool: "shop__refund",
    arguments: '{"amount":12345678901234567890,"to":"ann\u200b"}',
    createdAt: minutesAgo(2),
    expiresAt: minutesAgo(-13),
    ...change,
  });

  it("shows all that a decision needs, with what cannot be seen", async () => {
    const { out } = await operate(["approvals", "show", IDS[0]], { [`/approvals/${IDS[0]}`]: approval(IDS[0]) }, 100);
    expect(out).toMatchInlineSnapshot(`
      "shop__refund  pending

        Id        01M7HXRMR83H8Q9JKGBAVMDXX4
        Asked by  ann@example.com (https://login.example), tenant acme
        Asked     2 min ago, 2026-11-18 11:58:00 UTC
        State     waits 13 min longer, until 2026-11-18 12:13:00 UTC

      Arguments
        {
          "amount": 12345678901234567890,
          "to": "ann\\u200b"
        }

      → recourse approvals approve 01M7HXRMR83H8Q9JKGBAVMDXX4  The caller may then make exactly this call,
                                                               once.
      → recourse approvals deny 01M7HXRMR83H8Q9JKGBAVMDXX4     This call is then refused until the time
                                                               above.
      "
    `);
  });

  it("says what is not shown of long arguments", async () => {
    const long = approval(IDS[0], { arguments: JSON.stringify({ text: "x".repeat(60_000) }) });
    const { out } = await operate(["approvals", "show", IDS[0]], { [`/approvals/${IDS[0]}`]: long });
    expect(out).toContain("52,011 more characters not shown. Read them before you decide:");
    expect(out.length).toBeLessThan(12_000);
  });

  it("decides nothing when the beginning of an id fits two", async () => {
    const answers = { "/approvals": { items: IDS.map((id) => approval(id)), next: null } };
    const { exit, asked } = await operate(["approvals", "approve", "01m7"], answers);
    expect([exit, asked]).toEqual(["usage", ["GET /approvals"]]);
  });

  it("gives up looking for a beginning after some pages", async () => {
    const page = { items: [approval(IDS[0])], next: IDS[0] };
    const { exit, asked } = await operate(["approvals", "show", "02"], { "/approvals": page });
    expect([exit, asked.length]).toEqual(["usage", 5]);
  });

  it.each([
    [["approvals", "dance"]],
    [["approvals", "list", IDS[0]]],
    [["approvals", "approve"]],
    [["approvals", "approve", IDS[0], IDS[1]]],
    [["approvals", "approve", "../keys"]],
    [["approvals", "show", ""]],
    [["approvals", "--note", "x"]],
    [["approvals", "--state", "lost"]],
  ])("refuses %j before it asks the gateway", async (args) => {
    const { exit, asked } = await operate(args, {});
    expect([exit, asked]).toEqual(["usage", []]);
  });

  it("bounds and escapes what a hostile server answers", async () => {
    const evil = `\u001b[2J\u202e${"x".repeat(20_000)}`;
    const item = {
      ...approval(evil),
      tool: evil,
      caller: evil,
      tenant: evil,
      arguments: evil,
      state: evil,
      expiresAt: evil,
    };
    const { out } = await operate(["approvals", "--state", "all"], { "/approvals": { items: Array(50).fill(item) } });
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("\u202e");
    expect(out.length).toBeLessThan(60_000);
  });
});
