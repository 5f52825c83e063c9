// What a low-level server answers where its SDK refuses the parameters of a request, or what a handler returned: only a handler
// that ran may have changed something.
import { openHttpPair, openPair } from "@recourse/test-kit/fixtures";
import { type AnyClient, ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readFault } from "../../../src/index.ts";
import { guard } from "../../../src/server/index.ts";
import { createLowLevel } from "./shop.ts";

interface Handling {
  /** What the handler of the request returns. */
  readonly returns?: unknown;
  /** What it does before. */
  readonly check?: (request: unknown) => void;
  /** Whether the guard comes last. @default it comes first */
  readonly isSetBefore?: boolean;
}

async function open(era: Era, { returns = { content: [] }, check, isSetBefore = false }: Handling = {}) {
  const ran: string[] = [];
  const make = () => {
    const server = createLowLevel(sdkVersion(era));
    if (!isSetBefore) guard(server, { sink: () => {} });
    server.on("tools/list", () => ({ tools: [{ name: "order", inputSchema: { type: "object" } }] }));
    server.on("tools/call", (request) => {
      ran.push("tools/call");
      check?.(request);
      return returns;
    });
    if (isSetBefore) guard(server, { sink: () => {} });
    return server;
  };
  const pair = await openHttpPair(era, make);
  return { pair, ran };
}

/** The same tool in the registry of an `McpServer`. */
async function openRegistered(era: Era) {
  const ran: string[] = [];
  const pair = await openPair(era, (made) => {
    const server = guard(made, { sink: () => {} });
    server.registerTool("order", {}, () => {
      ran.push("order");
      return { content: [] };
    });
    return server;
  });
  return { pair, ran };
}

async function ask(client: AnyClient, params: object) {
  const answer = await client.request({ method: "tools/call", params }, z.looseObject({})).catch((thrown) => thrown);
  const { content, _meta, data, message } = answer as {
    readonly content?: readonly { readonly text: string }[];
    readonly _meta?: Record<string, unknown>;
    readonly data?: Record<string, unknown>;
    readonly message?: string;
  };
  const fault = readFault(data?.["recourse/fault"] ?? _meta?.["recourse/fault"]);
  return { fault, said: [message, ...(content ?? []).map(({ text }) => text)].join(" ") };
}

const REFUSED: readonly (readonly [what: string, params: object])[] = [
  ["arguments that are no object", { name: "order", arguments: "two" }],
  ["arguments that are a list", { name: "order", arguments: [2] }],
  ["arguments that are null", { name: "order", arguments: null }],
  ["a name that is no text", { name: 7, arguments: {} }],
];

/** Revision 2026-07-28 has no such member. */
const REFUSED_BY_SDK: typeof REFUSED = [
  ["a task with a wrong time", { name: "order", arguments: {}, task: { ttl: "long" } }],
  ["a task that is a text", { name: "order", arguments: {}, task: "yes" }],
];

describe.each(ERAS)("%s", (era) => {
  const refused = era === "v2 modern" ? REFUSED : [...REFUSED, ...REFUSED_BY_SDK];

  test.each(refused)("a registered tool: %s are refused before anything ran", async (_what, params) => {
    const { pair, ran } = await openRegistered(era);
    const { fault, said } = await ask(pair.client, params);
    expect(ran).toEqual([]);
    expect(fault).toMatchObject({ class: "validation", effect: "none" });
    expect(said).not.toMatch(/may have taken effect|The tool said/);
  });

  describe.each([false, true])("handlers set before the guard: %s", (isSetBefore) => {
    test.each(refused)("%s are refused before anything ran", async (_what, params) => {
      const { pair, ran } = await open(era, { isSetBefore });
      const { fault, said } = await ask(pair.client, params);
      expect(ran).toEqual([]);
      expect(fault).toMatchObject({ class: "validation", effect: "none" });
      expect(said).not.toMatch(/may have taken effect|The tool said/);
    });

    test.each([
      ["no list of blocks", { content: "no list" }],
      ["an unknown block", { content: [{ type: "picture" }] }],
      ["nothing", null],
    ])("a result that is %s may have changed something", async (_what, returns) => {
      const { pair, ran } = await open(era, { isSetBefore, returns });
      const { fault, said } = await ask(pair.client, { name: "order", arguments: {} });
      expect(ran).toEqual(["tools/call"]);
      expect(fault).toMatchObject({ reason: "tool/output_invalid", effect: "possible" });
      expect(said).toContain("may have taken effect");
    });
  });

  test("a handler that checks its arguments itself may have changed something before", async () => {
    const order = z.object({ params: z.object({ arguments: z.object({ n: z.number() }) }) });
    const { pair, ran } = await open(era, { check: (request) => order.parse(request) });
    const { fault } = await ask(pair.client, { name: "order", arguments: { n: "two" } });
    expect(ran).toEqual(["tools/call"]);
    expect(fault?.effect).toBe("possible");
  });
});
