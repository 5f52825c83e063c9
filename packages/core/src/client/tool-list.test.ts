import { holdTimers } from "@recourse/test-kit/held-timers";
import { describe, expect, it } from "vitest";
import { readPeerFault } from "../dialects/peer-fault.ts";
import { fail } from "../reasons/fail.ts";
import type { ClientLike } from "../sdk/client.ts";
import type { RecourseOptions, RecourseServerOptions } from "./options.ts";
import { recourse } from "./recourse.ts";
import { allPages, ToolHints } from "./tool-list.ts";

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

it("gives a definition without its output schema, where there is one", () => {
  const hints = new ToolHints([{ name: "a", inputSchema: { type: "object" }, outputSchema: {} }, { name: "b" }]);
  expect(hints.withoutOutput("a")).toEqual({ name: "a", inputSchema: { type: "object" }, outputSchema: undefined });
  expect(hints.withoutOutput("b")).toBeUndefined();
});

type List = (request: { readonly params: { readonly cursor?: string } }) => Promise<object>;
const READS = { name: "x", annotations: { readOnlyHint: true } };
const TRUSTED = { trustAnnotations: true } as const;

/** A client whose every call fails, or succeeds, and a list of tools that the test answers. */
function clientOf(list: List = async () => ({ tools: [READS] }), isError = true) {
  const asked: string[] = [];
  const client: ClientLike & { request: unknown } = {
    callTool: async () => ({ isError, content: [{ type: "text", text: "It is closed on Mondays." }] }),
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

/** What a call of a tool that only reads may have changed, as far as the client knows. */
async function effectOf(client: ClientLike, options: Pick<RecourseOptions, "server" | "deadlineMs"> = {}) {
  const outcome = await recourse(client, { server: TRUSTED, ...options }).call("x", {});
  return outcome.ok ? "ok" : outcome.fault.effect;
}

const NEVER = () => new Promise<object>(() => {});

describe("the list of tools of a trusted server", () => {
  it("is asked for once, whatever it contains", async () => {
    const { client, asked } = clientOf(async () => ({ tools: [{ name: "other" }, { name: 7 }, null] }));
    const mcp = recourse(client, { server: TRUSTED });
    await Promise.all([mcp.call("x", {}), mcp.call("x", { a: 1 })]);
    await mcp.call("x", { a: 2 });
    expect(asked).toEqual(["tools/list"]);
    expect(await effectOf(clientOf().client)).toBe("none");
  });

  it("is asked for page by page", async () => {
    const pages: List = async ({ params: { cursor } }) =>
      cursor === undefined ? { tools: [{ name: "a" }], nextCursor: "2" } : { tools: [READS] };
    expect(await effectOf(clientOf(pages).client)).toBe("none");
  });

  it.each<[string, boolean, RecourseServerOptions]>([
    ["after a success", false, TRUSTED],
    ["if the list is known", true, { ...TRUSTED, tools: [READS] }],
    ["of a server that is not trusted", true, {}],
  ])("is not asked for %s", async (_, isError, server) => {
    const { client, asked } = clientOf(undefined, isError);
    await effectOf(client, { server });
    expect(asked).toEqual([]);
  });

  it("changes nothing where it fails or the client cannot ask", async () => {
    const failing = clientOf(async () => Promise.reject(new Error("no")));
    const { request: _request, ...without } = clientOf().client;
    for (const client of [failing.client, without]) expect(await effectOf(client)).toBe("possible");
  });

  it("is not waited for beyond the deadline of the call, and never after an abort", async () => {
    using deadline = holdTimers(3_600_000);
    const late: List = () => {
      setImmediate(deadline.fire);
      return NEVER();
    };
    expect(await effectOf(clientOf(late).client, { deadlineMs: 3_600_000 })).toBe("possible");
    const leaving = new AbortController();
    const left: List = () => {
      setImmediate(() => leaving.abort());
      return NEVER();
    };
    const { client: other, asked } = clientOf(left);
    await recourse(other, { server: TRUSTED }).call("x", {}, { signal: leaving.signal });
    expect(asked).toEqual(["tools/list"]);
  });

  it("ends where its pages form a circle, or are too many", async () => {
    const circle = clientOf(async () => ({ tools: [], nextCursor: "again" }));
    await effectOf(circle.client);
    expect(circle.asked.length).toBeLessThanOrEqual(100);
    const many = [...Array.from({ length: 150_000 }, (_, at) => ({ name: `tool ${at}` })), READS];
    expect(await effectOf(clientOf(async () => ({ tools: many })).client)).toBe("possible");
  });
});

it("a fault that is taken over whole keeps what a peer cannot say out", () => {
  const closed = fail.precondition_failed({ recourse: [{ do: "do_first", tool: "open" }] })`It is closed.`.fault;
  const sent = { ...closed, tried: { attempts: 9, elapsedMs: 1, stopped: "budget" }, origin: { layer: "client" } };
  const fault = readPeerFault(JSON.parse(JSON.stringify(sent)), { speaksFaults: true });
  expect(fault).toMatchObject({ message: "It is closed.", origin: { layer: "server" } });
  expect(fault).not.toHaveProperty("tried");
});
