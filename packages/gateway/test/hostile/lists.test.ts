// Lists of a hostile upstream: the gateway reads a bounded part of them, and goes on serving the others.
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ListState } from "../../src/catalog/catalog.ts";
import type { Gateway } from "../../src/gateway.ts";
import { recordingObserver } from "../catalog/support/calls.ts";
import { fixedPeer } from "../catalog/support/peers.ts";
import { closeAll, kept } from "../catalog/support/world.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);
beforeAll(() => {
  process.on("unhandledRejection", onUnhandled);
});
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
});
afterEach(closeAll);

/** A gateway with a good upstream, and one whose list of tools is this text. */
async function behindGateway(tools: string) {
  const peer = kept(await fixedPeer(() => `{"tools":[${tools}]}`));
  const good = await startStubUpstream();
  const { observer, lines, switches } = recordingObserver();
  const upstreams = [httpUpstream(peer.url, { name: "evil", prefix: "evil__" }), httpUpstream(good.url)];
  const gateway = await startTestGateway({ upstreams }, { observer });
  /** The lines for the operator about lists. */
  const about = () => lines.flatMap(({ message, facts }) => (isAboutLists(facts) ? [{ message, ...facts }] : []));
  return { gateway, about, switches };
}

function isAboutLists(facts: unknown): facts is { readonly method: string } {
  return typeof facts === "object" && facts !== null && "method" in facts;
}

async function stateOf({ url }: Gateway): Promise<ListState | undefined> {
  const answer = await request(new URL("/ready", url));
  const { status, upstreams } = (await answer.body.json()) as { status: string; upstreams: ListState[] };
  return status === "ready" ? upstreams[0] : undefined;
}

/** What is known of the hostile upstream, once it was asked; good calls are served and nothing was left unhandled. */
async function stateAfter(gateway: Gateway): Promise<ListState | undefined> {
  let state: ListState | undefined;
  await expect.poll(async () => (state = await stateOf(gateway))).toBeDefined();
  expect((await callEcho(gateway.url)).json()).toMatchObject({ result: { content: [{ text: "ok" }] } });
  expect(unhandled).toEqual([]);
  return state;
}

const SCHEMA = '"inputSchema":{"type":"object"}';
const tool = (name: string | number) => `{"name":"t${name}",${SCHEMA}}`;
const many = (count: number, entry: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => entry(at)).join();

describe("a list of tools", () => {
  test("with 150,000 entries in one page is read up to the bound", async () => {
    const { gateway, about } = await behindGateway(many(150_000, tool));
    expect(await stateAfter(gateway)).toMatchObject({ listed: "current", tools: 10_000 });
    expect(about()).toMatchObject([{ message: "A list is longer than the gateway reads; the rest is left out" }]);
  });

  test("with a million entries that are nothing is given up at the bound", async () => {
    const { gateway, about } = await behindGateway(many(1_000_000, () => "1"));
    expect(await stateAfter(gateway)).toMatchObject({ listed: "current", tools: 0 });
    expect(about()).toMatchObject([{ refused: 10_000 }, {}]);
  });

  test("with an entry that repeats its name loses this entry only", async () => {
    const long = `"name":"${"n".repeat(120_000)}"`;
    const repeated = `{${many(20_000, () => '"name":"n"')},${long},${SCHEMA}}`;
    const escaped = `{"name":"a","n\\u0061me":"b",${SCHEMA}}`;
    const { gateway, about } = await behindGateway([repeated, tool(1), escaped].join());
    expect(await stateAfter(gateway)).toMatchObject({ listed: "current", tools: 1 });
    expect(about()).toMatchObject([{ upstream: "evil", refused: 2 }]);
  });

  test("with an entry that is nested a million times loses this entry only", async () => {
    const deep = `{"name":"deep","inputSchema":{"type":"object","x":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}}`;
    const { gateway, about } = await behindGateway([deep, tool(1)].join());
    expect(await stateAfter(gateway)).toMatchObject({ listed: "current", tools: 1 });
    expect(about()).toMatchObject([{ upstream: "evil", refused: 1 }]);
  });
});
