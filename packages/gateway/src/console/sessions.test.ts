import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { RequestHead } from "../call/head.ts";
import {
  type ConsoleSession,
  readCookie,
  removeCookie,
  sealSession,
  unsealSession,
  writeCookie,
} from "./session-cookie.ts";
import { ConsoleSessions, createEndedSessions, type OperatorLine } from "./sessions.ts";

const KEY = { secret: "s".repeat(32), gateway: "edge" };
const ANN: OperatorLine = { id: "ann", role: "approver", sha256: "aa".repeat(32) };
const IDLE = 30 * 60_000;
const LONGEST = 8 * 3_600_000;

/** Sessions with a clock and a file that tests change. */
function world(changes: { readonly operators?: OperatorLine[]; readonly key?: typeof KEY } = {}) {
  const state = { nowMs: 1_800_000_000_000, operators: changes.operators ?? [ANN], key: changes.key ?? KEY };
  const ended = createEndedSessions({ monotonic: () => state.nowMs });
  let last = 0;
  const sessions = new ConsoleSessions({
    key: () => state.key,
    operators: () => state.operators,
    ended,
    idleMs: IDLE,
    longestMs: LONGEST,
    now: () => state.nowMs,
    createSessionId: () => `id-${++last}`,
  });
  return { state, sessions };
}

describe("a session", () => {
  it("counts for the operator who began it, until longest", async () => {
    const { sessions, state } = world();
    const { renewed, endsMs } = sessions.begin(ANN);
    expect(endsMs).toBe(state.nowMs + LONGEST);
    expect(await sessions.find(renewed)).toEqual({ operator: "ann", role: "approver", endsMs, renewed: undefined });
  });

  it("ends after idle, to the millisecond", async () => {
    const { sessions, state } = world();
    const { renewed } = sessions.begin(ANN);
    state.nowMs += IDLE - 1;
    expect(await sessions.find(renewed)).toBeDefined();
    state.nowMs += 1;
    expect(await sessions.find(renewed)).toBeUndefined();
  });

  it("is renewed when half of idle is used up, and not before", async () => {
    const { sessions, state } = world();
    const { renewed, endsMs } = sessions.begin(ANN);
    state.nowMs += IDLE / 2 - 1;
    expect((await sessions.find(renewed))?.renewed).toBeUndefined();
    state.nowMs += 1;
    const later = await sessions.find(renewed);
    expect(later?.renewed).toMatch(/^v1\./);
    state.nowMs += IDLE / 2;
    expect(await sessions.find(renewed)).toBeUndefined();
    expect(await sessions.find(later?.renewed ?? "")).toMatchObject({ operator: "ann", endsMs });
  });

  it("ends after longest, however often it was renewed", async () => {
    const { sessions, state } = world();
    let cookie = sessions.begin(ANN).renewed;
    const began = state.nowMs;
    while (state.nowMs + IDLE / 2 < began + LONGEST) {
      state.nowMs += IDLE / 2;
      cookie = (await sessions.find(cookie))?.renewed ?? cookie;
    }
    state.nowMs = began + LONGEST - 1;
    expect(await sessions.find(cookie)).toBeDefined();
    state.nowMs += 1;
    expect(await sessions.find(cookie)).toBeUndefined();
  });

  it.each<[string, OperatorLine[]]>([
    ["the operator is removed", []],
    ["the key is another one", [{ ...ANN, sha256: "bb".repeat(32) }]],
    ["the role is higher", [{ ...ANN, role: "admin" }]],
    ["the role is lower", [{ ...ANN, role: "viewer" }]],
    ["the key belongs to somebody else", [{ ...ANN, id: "bob" }]],
  ])("ends at once when %s", async (_, operators) => {
    const { sessions, state } = world();
    const { renewed } = sessions.begin(ANN);
    state.operators = operators;
    expect(await sessions.find(renewed)).toBeUndefined();
    expect(await sessions.end(renewed)).toBeUndefined();
    state.operators = [ANN];
    expect(await sessions.find(renewed)).toBeDefined();
  });

  it("is that of its own line where two operators share an id", async () => {
    const admin: OperatorLine = { ...ANN, role: "admin", sha256: "cc".repeat(32) };
    const { sessions } = world({ operators: [admin, ANN] });
    expect(await sessions.find(sessions.begin(ANN).renewed)).toMatchObject({ role: "approver" });
  });

  it("ends by a sign-out, together with its renewed forms, and others stay", async () => {
    const { sessions, state } = world();
    const one = sessions.begin(ANN).renewed;
    const other = sessions.begin(ANN).renewed;
    state.nowMs += IDLE / 2;
    const renewed = (await sessions.find(one))?.renewed ?? "";
    expect(await sessions.end(one)).toBe("ann");
    expect(await sessions.end(one)).toBeUndefined();
    expect([await sessions.find(one), await sessions.find(renewed)]).toEqual([undefined, undefined]);
    expect(await sessions.find(other)).toBeDefined();
  });

  it("does not count before it began, apart from clocks that differ a little", async () => {
    const { sessions, state } = world();
    const { renewed } = sessions.begin(ANN);
    state.nowMs -= 60_000;
    expect(await sessions.find(renewed)).toBeDefined();
    state.nowMs -= 1;
    expect(await sessions.find(renewed)).toBeUndefined();
  });

  it.each([
    ["another secret", { ...KEY, secret: "t".repeat(32) }],
    ["another gateway with the same secret", { ...KEY, gateway: "other" }],
  ])("of %s does not count", async (_, key) => {
    const foreign = world({ key }).sessions.begin(ANN).renewed;
    expect(await world().sessions.find(foreign)).toBeUndefined();
  });
});

describe("a cookie", () => {
  const SESSION: ConsoleSession = { operator: "ann", line: "00", role: "viewer", startedMs: 1, seenMs: 2, id: "x" };
  const sealed = sealSession(SESSION, KEY);
  const [version, payload = "", signature] = sealed.split(".");

  it("is read as it was written", () => {
    expect(version).toBe("v1");
    expect(unsealSession(sealed, KEY)).toEqual(SESSION);
  });

  it("is refused with any character changed", () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      const forged = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
      const read = unsealSession(forged, KEY);
      // The last character of 32 bytes in base64 has two bits without a meaning.
      if (at === sealed.length - 1) expect([undefined, SESSION]).toContainEqual(read);
      else expect(read, `at ${at}`).toBeUndefined();
    }
  });

  const admin = Buffer.from(JSON.stringify(["ann", "00", "admin", 1, 2, "x"])).toString("base64url");
  it.each([
    ["nothing", ""],
    ["no signature", `v1.${payload}`],
    ["an empty signature", `v1.${payload}.`],
    ["another version", `v2.${payload}.${signature}`],
    ["a higher role with the old signature", `v1.${admin}.${signature}`],
    [
      "a signature without the label",
      `v1.${payload}.${createHmac("sha256", KEY.secret).update(payload).digest("base64url")}`,
    ],
    ["a long text", `v1.${"A".repeat(100_000)}.${signature}`],
    ["other characters", `v1.${payload}=.${signature}`],
    ["a line break", `${sealed}\n`],
  ])("of %s is refused", (_, text) => {
    expect(unsealSession(text, KEY)).toBeUndefined();
  });

  it("has the attributes that browsers demand", () => {
    expect(writeCookie("https", "x")).toBe("__Host-recourse_console=x; Secure; HttpOnly; SameSite=Strict; Path=/");
    expect(writeCookie("http", "x")).toBe("recourse_console=x; HttpOnly; SameSite=Strict; Path=/");
    expect(removeCookie("http")).toBe("recourse_console=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
  });

  const head = (cookie: string) =>
    ({ header: (name: string) => (name === "cookie" ? cookie : undefined) }) as RequestHead;
  it.each([
    ["recourse_console=a.b", "a.b"],
    ["other=1; recourse_console=a=b; more=2", "a=b"],
    ["recourse_console=a; recourse_console=b", undefined],
    ["xrecourse_console=a", undefined],
    ["recourse_console=", undefined],
    ["__Host-recourse_console=a", undefined],
    ["recourse_console", undefined],
    ["", undefined],
  ])("is found in %j", (text, value) => {
    expect(readCookie("http", head(text))).toBe(value);
  });
});

describe("ended sessions", () => {
  it("are asked for in Redis at most every two seconds, and known ones never again", async () => {
    let nowMs = 0;
    const asked: string[] = [];
    const answers = [0, 1];
    const redis = {
      async eval(script: string) {
        asked.push(script.includes("EXISTS") ? "exists" : "set");
        return answers.shift();
      },
    };
    const ended = createEndedSessions({ redis, monotonic: () => nowMs });
    const seen = [await ended.has("a"), await ended.has("a")];
    nowMs = 2_000;
    seen.push(await ended.has("a"), await ended.has("a"));
    expect(seen).toEqual([false, false, true, true]);
    expect(asked).toEqual(["exists", "exists"]);
  });

  it("stay known in this process while Redis is down", async () => {
    const redis = { eval: () => Promise.reject(new Error("down")) };
    const ended = createEndedSessions({ redis, monotonic: () => 0 });
    expect(await ended.has("a")).toBe(false);
    await ended.add("a", 1_000);
    expect(await ended.has("a")).toBe(true);
  });

  it("are bounded", async () => {
    const ended = createEndedSessions({ monotonic: () => 0 });
    for (let at = 0; at < 50_000; at += 1) await ended.add(`id-${at}`, 1);
    expect([await ended.has("id-49999"), await ended.has("id-0")]).toEqual([true, false]);
  });
});
