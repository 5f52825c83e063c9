// The commands of an operator, on a real gateway.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { recourse, start } from "./support.ts";

const ID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/;

type RunningGateway = Awaited<ReturnType<typeof start>>;

/** Calls a tool, and gives the text of the answer. */
async function call({ url, key }: Pick<RunningGateway, "url" | "key">, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return response.text();
}

/** Runs a command of the operator. */
async function operate({ cwd, adminKey, adminUrl }: RunningGateway, ...args: readonly string[]) {
  const { said, ended } = recourse(cwd, args, { GATEWAY_ADMIN_KEY: adminKey, GATEWAY_ADMIN_URL: adminUrl });
  const exit = await ended;
  expect(said.out + said.err).not.toContain(adminKey);
  return { exit, ...said };
}

/** An upstream that lists a tool and is unavailable when it is called. */
async function startFailing(): Promise<string> {
  const server = createServer(async (incoming, out) => {
    const { id, method, params } = (await json(incoming)) as {
      id?: number;
      method: string;
      params: { protocolVersion: string };
    };
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "shop", version: "1.0.0" },
      },
      "tools/list": { tools: [{ name: "buy", inputSchema: { type: "object" } }] },
    };
    if (method === "tools/call") out.writeHead(503).end();
    else if (id === undefined) out.writeHead(202).end();
    else {
      const result = results[method];
      const answer = result === undefined ? { error: { code: -32_601, message: "Method not found" } } : { result };
      out.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    }
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe("a stranger with the gateway of recourse init", { timeout: 180_000 }, () => {
  it("sees what failed, and gets to its incident", async () => {
    const gateway = await start();
    const quiet = await operate(gateway, "status");
    expect(quiet, quiet.err).toMatchObject({ exit: 0, err: "" });
    expect(quiet.out).toContain("gateway works");
    expect(quiet.out).toContain("No incidents.");
    await call(gateway, "demo__find_order", { order: 7 });
    const [incident = ""] = ID.exec(await call(gateway, "demo__find_order", { order: 8 })) ?? [];
    const { exit, out } = await operate(gateway, "status");
    expect(exit).toBe(0);
    expect(out).toMatch(/✔ {2}demo {2}1 tool, 2 requests, 1 failed; last failure \d+ s ago: core\/unavailable/);
    expect(out).toContain(`recourse incident ${incident}`);
    expect(out).toContain("recourse explain core/unavailable");
    expect(out).toMatch(/▁{20,}[▁█]{2} {2}2 requests\n/);
    const json = await operate(gateway, "status", "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      upstreams: [{ upstream: "demo", isUp: true, requests: 2, failures: 1, lastFailure: { incident } }],
      lastHour: { requests: 2, failures: 1 },
      causes: [{ reason: "core/unavailable", count: 1, tool: "demo__find_order", incident }],
      approvals: { waiting: 0, hasMore: false },
      problems: [],
    });
  });

  it("sees a tool that is held back and an upstream that does not answer, with exit code 1", async () => {
    const failing = await startFailing();
    const gateway = await start({}, (file) =>
      file.replace(
        "upstreams:\n",
        `upstreams:\n  shop: { url: "${failing}" }\n  crm: { url: "http://127.0.0.1:1/mcp" }\n`,
      ),
    );
    const call503 = () => call(gateway, "shop__buy", {});
    await expect.poll(call503, { timeout: 60_000 }).toContain("transport/breaker_open");
    const { exit, out } = await operate(gateway, "status");
    expect(exit).toBe(1);
    expect(out).toMatch(/✖ The tool buy of shop has been held back for \d+ s: its breaker is open/);
    expect(out).toMatch(/✖ The upstream crm has not answered for \d+ s\.\n {4}→ recourse incident [0-9A-Z]{26}\n/);
    expect(out).toMatch(/✔ {2}shop {2}1 tool, \d+ requests, \d+ failed/);
    expect(out).toMatch(/✔ {2}demo /);
  });

  it("approves one call and denies another", async () => {
    const gateway = await start({}, (file) => `${file}approvals: { tools: [demo__find_order], expires: 15m }\n`);
    const asked = await call(gateway, "demo__find_order", { order: 7 });
    const [first = ""] = ID.exec(asked) ?? [];
    const [second = ""] = ID.exec(await call(gateway, "demo__find_order", { order: 9 })) ?? [];
    expect((await operate(gateway, "status")).out).toMatch(/2 calls wait for a decision; 15 min left for the first/);

    const list = await operate(gateway, "approvals");
    expect(list.out).toContain("2 calls wait for a decision");
    for (const text of [first, second, '{"order":7}', '{"order":9}', "first (API key), tenant default"])
      expect(list.out).toContain(text);
    expect(list.out).toContain(`→ recourse approvals approve ${first}`);

    const shown = await operate(gateway, "approvals", "show", first.slice(0, 25).toLowerCase());
    expect(shown.out).toContain('Arguments\n  {\n    "order": 7\n  }\n');
    const ambiguous = await operate(gateway, "approvals", "show", first.slice(0, 3));
    expect([ambiguous.exit, ambiguous.err.includes(second)]).toEqual([2, true]);

    const approved = await operate(gateway, "approvals", "approve", first);
    expect([approved.exit, approved.err]).toEqual([0, ""]);
    expect(approved.out).toContain("✔ Approved: demo__find_order for first (API key), tenant default");
    expect(await call(gateway, "demo__find_order", { order: 7 })).toContain("two books, shipped");
    const denied = await operate(gateway, "approvals", "deny", second, "--note", "Not today.", "--json");
    expect(JSON.parse(denied.out)).toMatchObject({ id: second, state: "denied", decidedBy: "operator" });
    expect(await call(gateway, "demo__find_order", { order: 9 })).toContain("was denied");

    const again = await operate(gateway, "approvals", "approve", second);
    expect(again.exit).toBe(1);
    expect(again.err).toContain("Nothing was changed. The call is decided already: denied by operator");
    const empty = await operate(gateway, "approvals");
    expect(empty.out).toBe("No call waits for a decision.\n");
    const all = JSON.parse((await operate(gateway, "approvals", "--state", "all", "--json")).out);
    expect(all.items.map(({ state }: { state: string }) => state).toSorted()).toEqual(["consumed", "denied"]);
    const unknown = await operate(gateway, "approvals", "show", "01M7HXRMR83H8Q9JKGBAVMDXX5");
    expect([unknown.exit, unknown.err.includes("There is no approval 01M7HXRMR83H8Q9JKGBAVMDXX5.")]).toEqual([2, true]);
  });

  it("adds the key of a viewer, which may look and not decide", async () => {
    const { out } = await operate(await start(), "keys", "add", "ann", "--operator", "--json");
    const { key: adminKey, line } = JSON.parse(out);
    const gateway = await start(
      {},
      (file) => `${file.trimEnd()}\n    - ${line}\napprovals: { tools: [demo__find_order], expires: 15m }\n`,
    );
    const ann = { ...gateway, adminKey };
    expect((await operate(ann, "status")).exit).toBe(0);
    const [id = ""] = ID.exec(await call(gateway, "demo__find_order", { order: 7 })) ?? [];
    expect((await operate(ann, "approvals", "show", id)).exit).toBe(0);
    const refused = await operate(ann, "approvals", "approve", id, "--json");
    expect([refused.exit, JSON.parse(refused.err).error]).toMatchObject([
      4,
      { code: "role", fix: "recourse keys add <id> --operator --role approver" },
    ]);
    const wrong = await operate({ ...gateway, adminKey: "rk_00000000_nobody" }, "status", "--json");
    expect([wrong.exit, JSON.parse(wrong.err).error.code]).toEqual([4, "key-refused"]);
    // The address of callers is not that of operators.
    const elsewhere = await operate({ ...gateway, adminUrl: gateway.url }, "status", "--json");
    expect([elsewhere.exit, JSON.parse(elsewhere.err).error.code]).toEqual([3, "not-the-api"]);
  });
});
