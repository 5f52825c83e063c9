import { describe, expect, it } from "vitest";
import { readPeerFault } from "../dialects/peer-fault.ts";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { not_found } from "../reasons/library/tool.ts";
import { render } from "../render/render.ts";
import type { ClientLike } from "../sdk/client-types.ts";
import { recourse } from "./recourse.ts";

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

  it.each<[string, Fault | undefined, object]>([
    ["after a success", undefined, {}],
    ["after a fault that names no tool", fail.conflict`Taken.`.fault, {}],
    ["after a fault that names a value", NAMES_VALUE, {}],
    ["if the list is known", NAMES_TOOL, { tools: [{ name: "open" }] }],
    ["of a server of one's own", NAMES_TOOL, { speaksFaults: true }],
  ])("is not asked for %s", async (_, fault, options) => {
    const { client, asked } = clientOf(fault);
    await textOf(client, options);
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
    const startedMs = performance.now();
    const { client } = clientOf(NAMES_TOOL, NEVER);
    expect(await textOf(client, { deadlineMs: 150 })).toContain('(tool "open")”');
    const leaving = AbortSignal.timeout(100);
    await recourse(clientOf(NAMES_TOOL, NEVER).client).call("x", {}, { signal: leaving });
    expect(performance.now() - startedMs).toBeLessThan(1_500);
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
