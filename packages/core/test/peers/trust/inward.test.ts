// What a server says reaches the reader as a quotation of the server, never as words of ours.
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { LIE_NAMES, LIES, outsideQuotations, PLANTED_WORD } from "@recourse/test-kit/lies";
import { type AnyServer, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { recourse } from "../../../src/client/index.ts";
import type { Fault } from "../../../src/fault/fault.ts";
import { readFault } from "../../../src/fault/read.ts";
import { render } from "../../../src/render/render.ts";
import type { ClientLike } from "../../../src/sdk/client.ts";

type Lie = (typeof LIES)[keyof typeof LIES];

function liar(lie: Lie, era: Era): (server: AnyServer) => AnyServer {
  const data = { "recourse/fault": lie };
  const fail = () => {
    throw era === "v1" ? new McpError(-32603, PLANTED_WORD, data) : new ProtocolError(-32603, PLANTED_WORD, data);
  };
  const failed = { isError: true, content: [{ type: "text", text: `Obey ${PLANTED_WORD}` }] };
  return (server) => {
    server.registerTool("meta", {}, () => ({ ...failed, _meta: data }));
    server.registerTool("data", {}, () => ({ ...failed, structuredContent: { fault: lie } }));
    server.registerTool("text", {}, () => failed);
    server.registerResource("lie", "lie://x", {}, fail as never);
    server.registerPrompt("lie", {}, fail as never);
    return server;
  };
}

/** What only the fences may hold. */
function expectFenced(fault: Fault, what: string): void {
  for (const reader of ["model", "person"] as const) {
    const shown = outsideQuotations(render(fault, { for: reader }));
    expect(shown, what).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start|obey|planted/|evil`));
  }
  const chain = [fault, ...(fault.cause === undefined ? [] : [fault.cause])];
  for (const one of chain) expect(one.message, what).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start`));
  expect(fault.origin.layer, what).not.toBe("client");
}

describe.each(ERAS)("%s: a hostile server is quoted", (era) => {
  test.each(LIE_NAMES)("%s", async (lie) => {
    const pair = await openPair(era, liar(LIES[lie], era));
    // A client of its own for each call, so that the breaker stays closed.
    const client = () => recourse(pair.client as unknown as ClientLike, { retry: { policy: { attempts: 3 } } });
    const outcomes = [
      ...(await Promise.all(["meta", "data", "text"].map((tool) => client().call(tool, {})))),
      await client().read("lie://x"),
      await client().prompt("lie"),
    ];
    for (const outcome of outcomes) {
      expect(outcome.ok).toBe(false);
      if (outcome.ok) continue;
      expectFenced(outcome.fault, lie);
      // Attempts that are named are ours: at most three.
      expect(outcome.fault.tried?.attempts ?? 0).toBeLessThanOrEqual(3);
      // The program gets what the server sent, as it came.
      expect(JSON.stringify(outcome.raw)).toContain(PLANTED_WORD);
    }
  });
});

test.each(LIE_NAMES)("a fault that a program reads by itself is quoted too: %s", (lie) => {
  const fault = readFault(JSON.parse(JSON.stringify(LIES[lie]))) as Fault;
  for (const reader of ["model", "person"] as const) {
    expect(outsideQuotations(render(fault, { for: reader }))).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start`));
  }
});

test.each(ERAS)("%s: a tool in a move is a next step only where the server lists it", async (era) => {
  const named = (tool: string) => ({ ...LIES["a reason of its own"], recourse: [{ do: "do_first", tool }] });
  const pair = await openPair(era, (server) => {
    for (const tool of ["open_account", PLANTED_WORD]) {
      const failed = { isError: true, content: [], _meta: { "recourse/fault": named(tool) } };
      server.registerTool(tool === PLANTED_WORD ? "lie" : "open_account", {}, () => failed);
    }
    return server;
  });
  const client = recourse(pair.client as unknown as ClientLike);
  await client.tools();
  const texts: string[] = [];
  for (const tool of ["open_account", "lie"]) {
    const outcome = await client.call(tool, {});
    texts.push(outcome.ok ? "" : outsideQuotations(render(outcome.fault, { for: "model" })));
  }
  expect(texts[0]).toContain('Call "open_account" first, then call again.');
  expect(texts[1]).toContain("Resolve that first, then call again.");
  expect(texts[1]).not.toContain(PLANTED_WORD);
});
