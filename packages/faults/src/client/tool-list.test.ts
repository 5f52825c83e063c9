import { holdTimers } from "@recourse/test-kit/held-timers";
import { describe, expect, it } from "vitest";
import { readPeerFault } from "../dialects/peer-fault.ts";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { rate_limited } from "../reasons/library/core.ts";
import { not_found } from "../reasons/library/tool.ts";
import { render } from "../render/render.ts";
import type { ClientLike } from "../sdk/client.ts";
import type { Outcome, RecourseServerOptions } from "./options.ts";
import { recourse } from "./recourse.ts";
import { allPages, ToolHints } from "./tool-list.ts";

it("follows the pages to the end", async () => {
  const asked: unknown[] = [];
  const outcome = await allPages(async (cursor) => {
    asked.push(cursor);
    const more = cursor === undefined ? { nextCursor: "2" } : {};
    return { ok: true, result: { tools: [{ name: `tool ${asked.length}` }], ...more } };
  });
  expect(outcome).toEqual({ ok: true, result: [{ name: "tool 1" }, { name: "tool 2" }] });
  expect(asked).toEqual([undefined, "2"]);
});

it("ends with the first page that fails", async () => {
  const failed: Outcome<unknown> = { ok: false, fault: rate_limited.fault() };
  const pages: Outcome<unknown>[] = [{ ok: true, result: { tools: [], nextCursor: "2" } }, failed];
  expect(await allPages(async () => pages.shift() ?? expect.fail("asked once more"))).toBe(failed);
});

it("does not follow a list that goes round in circles", async () => {
  let asked = 0;
  const outcome = await allPages(async () => {
    asked += 1;
    return { ok: true, result: { nextCursor: "again" } };
  });
  expect(outcome).toMatchObject({ ok: false, fault: { reason: "protocol/invalid_result", effect: "none" } });
  expect(asked).toBe(100);
});

const toolsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `tool ${at}` }));

it.each([10_001, 150_000])("takes a list of %i tools for a broken one, in one page or several", async (count) => {
  const all = toolsOf(count);
  const broken = { ok: false, fault: { reason: "protocol/invalid_result", effect: "none" } };
  expect(await allPages(async () => ({ ok: true, result: { tools: all } }))).toMatchObject(broken);
  let asked = 0;
  const paged = await allPages(async (cursor = "0") => {
    asked += 1;
    const end = Number(cursor) + 4_000;
    return { ok: true, result: { tools: all.slice(Number(cursor), end), nextCursor: String(end) } };
  });
  expect(paged).toMatchObject(broken);
  expect(asked).toBe(3);
});

it("reads a list of 10,000 tools", async () => {
  const outcome = await allPages(async () => ({ ok: true, result: { tools: toolsOf(10_000) } }));
  expect(outcome.ok && outcome.result).toHaveLength(10_000);
});

it("believes a hint only when it is a plain yes", () => {
  const hints = new ToolHints([
    { name: "reads", annotations: { readOnlyHint: true } },
    { name: "repeats", annotations: { readOnlyHint: false, idempotentHint: true } },
    { name: "writes", annotations: { readOnlyHint: false, idempotentHint: false } },
    { name: "odd", annotations: { readOnlyHint: "yes" as never } },
    { name: "silent" },
  ]);
  const said = ["reads", "repeats", "writes", "odd", "silent", "unknown", "constructor"].map((name) => [
    name,
    hints.saysRepeatable(name),
  ]);
  expect(said.filter(([, yes]) => yes).map(([name]) => name)).toEqual(["reads", "repeats"]);
  expect(["reads", "repeats", "writes", "odd", "silent", "unknown"].filter((name) => hints.saysReadOnly(name))).toEqual(
    ["reads"],
  );
});

it("counts the newest list", () => {
  const hints = new ToolHints([{ name: "a", annotations: { readOnlyHint: true } }]);
  hints.learn([{ name: "b", annotations: { idempotentHint: true } }]);
  expect([hints.saysRepeatable("a"), hints.saysRepeatable("b")]).toEqual([false, true]);
});

it("gives a definition without its output schema, where there is one", () => {
  const hints = new ToolHints([{ name: "a", inputSchema: { type: "object" }, outputSchema: {} }, { name: "b" }]);
  expect(hints.withoutOutput("a")).toEqual({ name: "a", inputSchema: { type: "object" }, outputSchema: undefined });
  expect(hints.withoutOutput("b")).toBeUndefined();
});

const NAMES_TOOL = fail.precondition_failed({ recourse: [{ do: "do_first", tool: "open" }] })`It is closed.`.fault;
const NAMES_VALUE = fail.not_found({ recourse: [{ do: "choose_another", candidates: ["open"] }] })`Sold out.`.fault;
const NO_TOOL = not_found.fault({ tool: "opn" }, { recourse: [{ do: "choose_another", candidates: ["open"] }] });

type List = (request: { readonly params: { readonly cursor?: string } }) => Promise<object>;

/** A client whose every call fails as given, or succeeds, and a list of tools that the test answers. */
function clientOf(fault: Fault | undefined, list: List = async () => ({ tools: [{ name: "open" }] })) {
  const asked: string[] = [];
  const text = [{ type: "text", text: "x" }];
  const client: ClientLike & { request: unknown } = {
    callTool: async () =>
      fault === undefined
        ? { content: text }
        : { isError: true, content: text, _meta: { "recourse/fault": JSON.parse(JSON.stringify(fault)) } },
    readResource: async () => ({}),
    getPrompt: async () => ({}),
    listTools: async () => expect.fail("listTools of the SDK would remember output schemas"),
    getServerCapabilities: () => ({ tools: {} }),
    request: async (request: Parameters<List>[0] & { readonly method: string }) => {
      asked.push(request.method);
      return list(request);
    },
  };
  return { client, asked };
}

async function textOf(client: ClientLike, options = {}) {
  const outcome = await recourse(client, options).call("x", {});
  return outcome.ok ? "ok" : render(outcome.fault, { for: "model" });
}

const NEXT = 'Call "open" first, then call again.';
const NEVER = () => new Promise<object>(() => {});

describe("the list of tools", () => {
  it("is asked for once, whatever it contains", async () => {
    const { client, asked } = clientOf(NAMES_TOOL, async () => ({ tools: [{ name: "other" }, { name: 7 }, null] }));
    const mcp = recourse(client);
    await Promise.all([mcp.call("x", {}), mcp.call("x", { a: 1 })]);
    await mcp.call("x", { a: 2 });
    expect(asked).toEqual(["tools/list"]);
    expect(await textOf(clientOf(NAMES_TOOL).client)).toContain(NEXT);
    expect(await textOf(clientOf(NO_TOOL).client)).toContain('Did you mean "open"?');
  });

  it("is asked for page by page", async () => {
    const pages: List = async ({ params: { cursor } }) =>
      cursor === undefined ? { tools: [{ name: "a" }], nextCursor: "2" } : { tools: [{ name: "open" }] };
    expect(await textOf(clientOf(NAMES_TOOL, pages).client)).toContain(NEXT);
  });

  it.each<[string, Fault | undefined, RecourseServerOptions]>([
    ["after a success", undefined, {}],
    ["after a fault that names no tool", fail.conflict`Taken.`.fault, {}],
    ["after a fault that names a value", NAMES_VALUE, {}],
    ["if the list is known", NAMES_TOOL, { tools: [{ name: "open" }] }],
    ["of a server of one's own", NAMES_TOOL, { speaksFaults: true }],
  ])("is not asked for %s", async (_, fault, server) => {
    const { client, asked } = clientOf(fault);
    await textOf(client, { server });
    expect(asked).toEqual([]);
  });

  it("changes nothing where it fails or the client cannot ask", async () => {
    const failing = clientOf(NAMES_TOOL, async () => Promise.reject(new Error("no")));
    const { request: _request, ...without } = clientOf(NAMES_TOOL).client;
    for (const client of [failing.client, without]) {
      const outcome = await recourse(client).call("x", {});
      expect(outcome).toMatchObject({ ok: false, fault: { kind: "precondition_failed" } });
      expect(await textOf(client)).toContain('(tool "open")”');
    }
  });

  it("is not waited for beyond the deadline of the call, and never after an abort", async () => {
    using deadline = holdTimers(3_600_000);
    const late: List = () => {
      setImmediate(deadline.fire);
      return NEVER();
    };
    const { client } = clientOf(NAMES_TOOL, late);
    expect(await textOf(client, { deadlineMs: 3_600_000 })).toContain('(tool "open")”');
    const leaving = new AbortController();
    const left: List = () => {
      setImmediate(() => leaving.abort());
      return NEVER();
    };
    const { client: other, asked } = clientOf(NAMES_TOOL, left);
    await recourse(other).call("x", {}, { signal: leaving.signal });
    expect(asked).toEqual(["tools/list"]);
  });

  it("ends where its pages form a circle, or are too many", async () => {
    const circle = clientOf(NAMES_TOOL, async () => ({ tools: [], nextCursor: "again" }));
    await textOf(circle.client);
    expect(circle.asked.length).toBeLessThanOrEqual(100);
    const many = Array.from({ length: 150_000 }, (_, at) => ({ name: `tool ${at}` }));
    expect(await textOf(clientOf(NAMES_TOOL, async () => ({ tools: many })).client)).toContain('(tool "open")”');
  });
});

it("a fault that is taken over whole keeps what a peer cannot say out", () => {
  const sent = { ...NAMES_TOOL, tried: { attempts: 9, elapsedMs: 1, stopped: "budget" }, origin: { layer: "client" } };
  const fault = readPeerFault(JSON.parse(JSON.stringify(sent)), { speaksFaults: true });
  expect(fault).toMatchObject({ message: "It is closed.", origin: { layer: "server" } });
  expect(fault).not.toHaveProperty("tried");
});
