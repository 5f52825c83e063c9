import { describe, expect, it } from "vitest";
import {
  type CallerIdentity,
  type CallerRule,
  callerRefusal,
  callerRule,
  canonicalDigest,
  identifyCaller,
  setCallerRule,
} from "./caller.ts";

const overHttp = (authInfo?: unknown, headers: Record<string, string> = {}) => ({
  sessionId: "s-1",
  http: { authInfo, req: new Request("http://a.example", { headers }) },
});
const overHttpV1 = (authInfo?: unknown, headers: object = {}) => ({ authInfo, requestInfo: { headers } });

describe("a caller", () => {
  it("is a digest, which tells nothing", async () => {
    const token = "secret-token-0123456789";
    const known = await identifyCaller(overHttp({ token }));
    expect(known).toEqual({ kind: "known", owner: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(known)).not.toContain(token);
  });

  it("never equals another who is known in another way", async () => {
    const ways: [unknown, CallerRule?][] = [
      [{}],
      [overHttp({ sub: "ann" })],
      [overHttp({ token: "ann" })],
      [overHttp(), () => "ann"],
      [overHttp(), () => "only"],
    ];
    const owners = await Promise.all(ways.map(async ([context, rule]) => ownerOf(await identifyCaller(context, rule))));
    expect(new Set(owners).size).toBe(ways.length);
    expect(owners).not.toContain(undefined);
  });
});

const ownerOf = (caller: CallerIdentity) => ("owner" in caller ? caller.owner : undefined);

describe("the author's rule", () => {
  const request: CallerRule = (_auth, { headers, sessionId }) => `${headers.get("x-device")} ${sessionId}`;
  const named = async (context: unknown, rule: CallerRule) => ownerOf(await identifyCaller(context, rule));

  it("reads headers and session, in both versions of the SDK", async () => {
    const expected = (name: string) => named({}, () => name);
    expect(await named(overHttp(undefined, { "x-device": "d" }), request)).toBe(await expected("d s-1"));
    expect(await named(overHttpV1(undefined, { "X-Device": ["d", "e"] }), request)).toBe(
      await expected("d, e undefined"),
    );
    expect(await named({}, request)).toBe(await expected("null undefined"));
  });

  it("may fail, which refuses the call", async () => {
    const cause = new Error("down");
    const caller = await identifyCaller({}, () => Promise.reject(cause));
    expect(caller).toEqual({ kind: "failed", cause });
    expect(callerRefusal(caller)).toMatchObject({ fault: { reason: "core/unavailable", effect: "none" }, cause });
  });

  it("is remembered for a server", () => {
    const server = {};
    expect(callerRule(server)).toBeUndefined();
    setCallerRule(server, request);
    expect(callerRule(server)).toBe(request);
  });
});

it("is the SHA-256 of the canonical text", async () => {
  expect(await canonicalDigest("abc")).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25");
  expect(await canonicalDigest({ b: 1, a: 2 })).toBe(await canonicalDigest({ a: 2, b: 1 }));
});
