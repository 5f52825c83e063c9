// Data that PostgreSQL refuses: the call that brings it fails, and nobody else notices.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApprovalTable } from "../../src/approvals/approval-statements.ts";
import { approvalsInReach } from "../../src/approvals/open-approvals.ts";
import { postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import { openIdempotency } from "../../src/idempotency/idempotency.ts";
import type { Stores } from "../../src/stores/open-stores.ts";
import { poolOf, requestOf } from "../approvals/support.ts";
import { bodyOf, callKeyed, callOlder, faultIn, headersOf } from "../idempotency/support/call.ts";
import { OTHER, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { post } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, startStubUpstream } from "../support/stub-upstream.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
let pool: ReturnType<typeof poolOf>;

beforeAll(async () => {
  engines = await startEngines();
  pool = poolOf(engines.url);
}, START_MS);
afterAll(async () => {
  await pool.end();
  await engines.close();
});

beforeEach(holdTime);

const STEP_MS = 50;
/** Answers above 16 KiB are not parsed on their way. */
const LONG = "x".repeat(20_000);
const WITH_NUL = `{"resultType":"complete","content":[{"type":"text","text":"${LONG}\u0000"}]}`;

const APPROVALS = { tools: ["up__pay*"], denied: [], expiresMs: 900_000, link: undefined };

async function world(answer: StubAnswer, tools = ["echo"]) {
  const upstream = await startStubUpstream(answer, tools);
  const gateway = await startTestGateway(
    engines.shared({ upstreams: [httpUpstream(upstream.url)], approvals: APPROVALS }),
  );
  return { upstream, url: gateway.url };
}

/** How many calls of others are refused while a store that seems to be away would be given up. */
async function refusedOf(call: (n: number) => Promise<{ readonly text: string }>, served: string, ms: number) {
  let refused = 0;
  for (let n = 0; n < ms / STEP_MS; n++) {
    await pass(STEP_MS);
    if (!(await call(n)).text.includes(served)) refused += 1;
  }
  return refused;
}

const observer = () => {
  const heard: string[] = [];
  return { heard, switched: (_what: string, state: string) => void heard.push(state), log: () => {} };
};

describe("a result with the character 0", () => {
  it("is stored as it came, and the calls of others go on", async () => {
    const { upstream, url } = await world(({ text, id }, response) =>
      answerWith(text.includes('"nul"') ? WITH_NUL : OK)({ headers: {}, text, id } as never, response),
    );
    const first = await callKeyed(url, { key: '"nul"', args: '{"a":"nul"}' });
    expect(first.text).toContain(`${LONG}\u0000`);
    const call = (n: number) => callKeyed(url, { key: `"honest ${n}"`, credential: OTHER });
    // An outcome that cannot be stored is tried for 2 s before the store counts as away.
    expect(await refusedOf(call, '"ok"', 2_500)).toBe(0);
    const again = await callKeyed(url, { key: '"nul"', args: '{"a":"nul"}' });
    expect(again.text).toBe(first.text);
    expect(upstream.received.filter(({ text }) => text.includes('"nul"'))).toHaveLength(1);
  });
});

describe("a tool with the character 0 in its name", () => {
  it("is not listed and cannot be called, and approvals of other tools go on", async () => {
    const { url } = await world(answerWith(OK), ["pay", "pay\u0000more"]);
    const params = '{"name":"up__pay\\u0000more","arguments":{}}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const older = { ...headersOf(), "mcp-protocol-version": "2025-11-25" };
    const answer = await post(url, body, older);
    const call = () => callOlder(url, { tool: "up__pay", credential: OTHER });
    expect(await refusedOf(call, "approval_required", 500)).toBe(0);
    expect(answer.text).not.toContain("approval");
    const list = await post(url, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', older);
    expect(list.text).toContain("up__pay");
    expect(list.text).not.toContain("more");
  });
});

describe("names that callers send", () => {
  it.each(["\\u0000", "\\n", "\\u007f"])("are refused with %s in a method or a key", async (control) => {
    const { url, upstream } = await world(answerWith(OK));
    const older = { ...headersOf(), "mcp-protocol-version": "2025-11-25" };
    const method = await post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/${control}"}`, older);
    expect(faultIn(method).reason).toBe("protocol/invalid_request");
    const key = await post(url, bodyOf({ key: `"a${control}"` }), headersOf());
    expect(faultIn(key)).toMatchObject({ reason: "protocol/malformed_call", effect: "none" });
    expect(upstream.received).toEqual([]);
  });
});

describe("what reaches PostgreSQL all the same", () => {
  it("fails one approval, and the others are looked up", async () => {
    await createApprovalTable(pool);
    const { heard, ...rest } = observer();
    const store = approvalsInReach(postgresApprovals(pool), rest);
    await expect(store.consume({ ...requestOf(), tool: "a\u0000b" }, "1")).rejects.toMatchObject({ code: "22021" });
    expect(await store.consume(requestOf(), "2")).toMatchObject({ state: "pending" });
    expect(heard).toEqual([]);
    await store.close();
  });

  it("fails one claim, and the keys of others are claimed", async () => {
    const { heard, ...rest } = observer();
    const stores = { mode: "shared", pool } as unknown as Stores;
    const keys = await openIdempotency({ idempotency: { keepMs: 60_000 } }, stores, rest);
    const claim = { owner: sha256Hex("a"), deadlineMs: 1_000, honoured: false };
    await expect(keys?.begin("no hex", sha256Hex("a"), claim)).rejects.toMatchObject({ code: "22023" });
    expect(await keys?.begin(sha256Hex("a"), sha256Hex("a"), claim)).toMatchObject({ state: "new" });
    expect(heard).toEqual([]);
    // Until it gives up, the store tries to free the key that it could not claim.
    if (keys !== undefined) await passUntil(keys.close(), 10_000);
  });
});
