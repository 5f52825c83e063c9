// A handler that catches an error and returns its message, as many do: what leaves a guarded server, whatever the SDK, the
// option `foreignText` and the part of the result that the text stands in.

import { type AnyServer, connectPair, ERAS, type Era, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod/v4";
import { closient } from "../../../src/dialects/closient/dialect.ts";
import { detect } from "../../../src/dialects/detect.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { erlmcp } from "../../../src/dialects/erlmcp/dialect.ts";
import { mcp } from "../../../src/dialects/mcp/dialect.ts";
import { onx } from "../../../src/dialects/onx/dialect.ts";
import { platica } from "../../../src/dialects/platica/dialect.ts";
import { qaqnuz } from "../../../src/dialects/qaqnuz/dialect.ts";
import type { Fault } from "../../../src/fault/fault.ts";
import { readOwnFault } from "../../../src/fault/read.ts";
import type { Incident } from "../../../src/incidents/incident.ts";
import { defineReasons } from "../../../src/reasons/define.ts";
import * as slot from "../../../src/reasons/slot.ts";
import { registerSecrets } from "../../../src/safety/secrets.ts";
import { type ForeignText, type GuardOptions, guard } from "../../../src/server/index.ts";

const MODES: readonly (ForeignText | undefined)[] = [undefined, "hide", "public", "quote"];
const SECRET = "hunter2Sommer99";
const text = (said: string) => ({ type: "text", text: said });
const failing = (said: string) => ({ isError: true, content: [text(said)] });
const blob = (said: string) => Buffer.from(said).toString("base64");

/** Failed results with something in them that callers must not read. */
const LEAKS: Readonly<Record<string, object>> = {
  "a password in the text": failing(`password authentication failed: password=${SECRET}`),
  "an address with a password": failing(`connect ECONNREFUSED postgres://app:${SECRET}@db.internal:5432/orders`),
  "a stack": failing(`It failed with password=${SECRET} at once.\n    at run (/srv/app/src/orders.ts:12:7)`),
  "the second block": { isError: true, content: [text("It failed."), text(`password=${SECRET}`)] },
  "two blocks together": { isError: true, content: [text("The password is"), text(`password: ${SECRET}`)] },
  "far behind": failing(`${"It failed again. ".repeat(2_000)}password=${SECRET}`),
  "an embedded resource": {
    isError: true,
    content: [{ type: "resource", resource: { uri: "orders://7", text: `password=${SECRET}` } }],
  },
  "the data of a resource": {
    isError: true,
    content: [{ type: "resource", resource: { uri: "orders://7", blob: blob(`password=${SECRET}`) } }],
  },
  "a link": {
    isError: true,
    content: [{ type: "resource_link", name: "log", uri: `https://app:${SECRET}@logs.internal/7` }],
  },
  "structured content": { isError: true, content: [], structuredContent: { error: { password: SECRET } } },
  "structured text": { ...failing("It failed."), structuredContent: { cause: [`password=${SECRET}`] } },
  "a name in structured content": { isError: true, content: [], structuredContent: { [`password=${SECRET}`]: 1 } },
  metadata: { ...failing("It failed."), _meta: { "shop/cause": `postgres://app:${SECRET}@db.internal/orders` } },
  "a result that is marked in another way": { isError: 1, content: [text(`password=${SECRET}`)] },
  "too much to be checked": failing(`${"It failed again. ".repeat(40_000)}${SECRET}`),
  "too deep to be checked": { isError: true, content: [], structuredContent: nested(80, SECRET) },
};

function nested(depth: number, inner: unknown): object {
  return depth === 0 ? { inner } : { deeper: nested(depth - 1, inner) };
}

const incidents: Incident[] = [];
let pair: SdkPair | undefined;
afterEach(async () => {
  await pair?.close();
  incidents.length = 0;
});

type Answer = {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta: { readonly "recourse/fault"?: Fault };
};

/** Calls a guarded tool that returns a result, or what a function makes of its arguments. */
async function call(
  era: Era,
  returned: object | ((args: { readonly id: string }) => object),
  options: GuardOptions & { readonly config?: object } = {},
  args = { id: "A-7" },
): Promise<{ answer: Answer; wire: string; fault: Fault | undefined }> {
  const { config, ...rest } = options;
  await pair?.close();
  pair = await connectPair(era, (server: AnyServer) => {
    const inputSchema = era === "v1" ? { id: z.string() } : z.object({ id: z.string() });
    server.registerTool("get", { inputSchema, ...config }, ((given: { readonly id: string }) =>
      typeof returned === "function" ? returned(given) : returned) as never);
    return guard(server, { sink: (incident) => incidents.push(incident), ...rest });
  });
  await pair.client.callTool({ name: "get", arguments: args }).catch(() => undefined);
  const { message } = pair.take();
  const answer = (message as { readonly result: Answer }).result;
  return { answer, wire: JSON.stringify(message), fault: answer?._meta?.["recourse/fault"] };
}

describe.each(ERAS)("%s", (era) => {
  test.each(Object.entries(LEAKS))("%s does not leave", async (_name, returned) => {
    for (const foreignText of MODES) {
      incidents.length = 0;
      const { answer, wire, fault } = await call(era, returned, foreignText === undefined ? {} : { foreignText });
      expect(wire, foreignText).not.toMatch(/hunter2|aHVudGVy|internal:5432|srv\/app/);
      expect(answer, foreignText).toMatchObject({ isError: true });
      expect(fault, foreignText).toMatchObject({ kind: "unknown", reason: "tool/failed", effect: "possible" });
      expect(fault?.incident).toMatch(/^[0-9A-Z]{26}$/);
      expect(incidents, foreignText).toMatchObject([{ tool: "get", fault: { incident: fault?.incident } }]);
    }
  });

  test("what a rule finds is cut out of the text, and the incident holds the whole", async () => {
    const { answer, fault } = await call(era, LEAKS["a password in the text"] as object);
    const report = text(`If you report this, give incident ${fault?.incident}.`);
    expect(answer.content).toEqual([text("password authentication failed: password=[removed]"), report]);
    expect(incidents[0]?.cause).toMatchObject({ message: `password authentication failed: password=${SECRET}` });
    expect(fault?.quote?.text).toBe("password authentication failed: password=[removed]");
  });

  test("the fault's own sentence stands where little would be left", async () => {
    const { answer, fault } = await call(era, failing(`postgres://app:${SECRET}@db.internal:5432/orders refused`));
    expect(answer.content[0]?.text).toContain(fault?.message);
    expect(answer.content[0]?.text).toContain(fault?.incident);
  });

  test("a sentence stays as it was written, with its fault, and is no incident", async () => {
    const said = "Insufficient funds on this account.\nTop it up first.";
    const returned = { isError: true, content: [text(said), text("Second.")], _meta: { "shop/kind": "funds" } };
    for (const foreignText of ["public", "quote"] as const) {
      const { answer, fault } = await call(era, returned, { foreignText });
      expect(answer.content).toEqual(returned.content);
      expect(answer._meta).toMatchObject({ "shop/kind": "funds" });
      expect(fault).toMatchObject({
        kind: "unknown",
        reason: "tool/failed",
        params: { tool: "get" },
        basis: "mapped",
        effect: "possible",
        quote: { text: "Insufficient funds on this account. Top it up first.", from: "thrown" },
        recourse: [{ do: "refresh" }, { do: "stop" }],
      });
      expect(fault).not.toHaveProperty("incident");
      expect(incidents).toEqual([]);
    }
  });

  test("`hide` replaces a sentence, and the operator finds it", async () => {
    const { wire, fault } = await call(era, failing("Insufficient funds."), { foreignText: "hide" });
    expect(wire).not.toContain("Insufficient");
    expect(fault).toMatchObject({ reason: "tool/failed", incident: expect.any(String) });
    expect(incidents).toMatchObject([{ severity: "info", cause: { message: "Insufficient funds." } }]);
  });

  test("what the caller sent may be repeated, and nothing else", async () => {
    const repeats = ({ id }: { readonly id: string }) => failing(`There is no file ${id}.`);
    const args = { id: "/home/ada/notes.txt" };
    expect((await call(era, repeats, {}, args)).answer.content).toEqual([
      text("There is no file /home/ada/notes.txt."),
    ]);
    const others = await call(era, failing("There is no file /home/bob/notes.txt."), {}, args);
    expect(others.answer.content[0]).toEqual(text("There is no file [removed]."));
    expect(others.fault?.incident).toBe(incidents[0]?.fault.incident);
  });

  test("groups of rules can be allowed", async () => {
    const returned = failing("There is no file /srv/shop/notes.txt.");
    expect((await call(era, returned, { allow: ["path"] })).answer.content).toEqual(returned.content);
  });

  test("registered secrets are found in every part", async () => {
    const forget = registerSecrets("correct horse");
    try {
      for (const returned of [failing("It was correct horse."), { ...failing("No."), _meta: { a: "correct horse" } }]) {
        const { wire } = await call(era, returned, { allow: ["credential"] });
        expect(wire).not.toContain("correct horse");
      }
    } finally {
      forget();
    }
  });

  test("a tool that only reads has changed nothing", async () => {
    const config = { annotations: { readOnlyHint: true } };
    expect((await call(era, failing("No such order."), { config })).fault).toMatchObject({ effect: "none" });
    expect((await call(era, failing(`password=${SECRET}`), { config })).fault).toMatchObject({ effect: "none" });
  });

  test("a result that JSON cannot encode is answered", async () => {
    const { fault } = await call(era, { isError: true, content: [], structuredContent: { n: 1n } });
    expect(fault).toMatchObject({ reason: "tool/result_unsendable" });
  });

  test("ids are the author's choice", async () => {
    const id = "7f3c2a10-9d4e-4b6a-8f21-0c5d9e7b1a34";
    const structured = { ...failing("No such order."), structuredContent: { orderId: id, code: "NOT_FOUND" } };
    expect((await call(era, structured)).answer).toMatchObject(structured);
    const sentence = failing(`Row of ${id} is locked.`);
    expect((await call(era, sentence)).answer.content).toEqual(sentence.content);
  });

  test("a success is not looked at", async () => {
    const returned = { content: [text(`password=${SECRET}`)] };
    expect((await call(era, returned)).answer.content).toEqual(returned.content);
  });
});

const shop = defineReasons("shop", {
  away: { kind: "not_found", text: "No machine {host}.", slots: { host: slot.text(80) } },
});

describe("a fault of the author in a returned result", () => {
  test("is answered as if it were thrown", async () => {
    const { fault } = shop.away({ host: "db7.internal" });
    const { result } = mcp.encode(fault) as { result: object };
    const { answer } = await call("v2 modern", result);
    expect(answer._meta["recourse/fault"]).toMatchObject({ reason: "shop/away", at: expect.any(String) });
    expect(answer.content[0]?.text).toMatch(/^No machine "?db7\.internal"?\./);
    expect(incidents).toEqual([]);
  });

  test("stays beside a text of the author's, which is checked", async () => {
    const _meta = { "recourse/fault": shop.away({ host: "db7" }).fault };
    const clean = await call("v2 modern", { ...failing("Not there."), _meta });
    expect(clean.answer.content).toEqual([text("Not there.")]);
    expect(clean.fault).toMatchObject({ reason: "shop/away", effect: "none" });
    const leaking = await call("v2 modern", { ...failing(`password=${SECRET}`), _meta });
    expect(leaking.wire).not.toContain(SECRET);
    expect(leaking.fault).toMatchObject({ reason: "shop/away", incident: expect.any(String) });
  });

  test("of another server of the same owner is passed on with its text, and no other text is", async () => {
    const fault = JSON.parse(JSON.stringify(shop.away({ host: "db8.internal" }).fault));
    const { result } = mcp.encode(fault) as { result: { content: unknown } };
    const copy = JSON.parse(JSON.stringify(result));
    const trusting = await call("v2 modern", copy, { speaksFaults: true });
    expect(trusting.answer.content).toEqual(result.content);
    expect(readOwnFault(trusting.fault)).toEqual(fault);
    const other = { ...copy, content: [text(`password=${SECRET}`)] };
    expect((await call("v2 modern", other, { speaksFaults: true })).wire).not.toContain(SECRET);
    expect((await call("v2 modern", copy)).wire).not.toContain("db8.internal");
    expect((await call("v2 modern", { ...copy, content: [] })).wire).not.toContain("db8.internal");
  });
});

test.each(ERAS)("%s: a handler in place of the SDK's own is checked too", async (era) => {
  const replaced = { v1: "@modelcontextprotocol/sdk/types.js" };
  const schema = era === "v1" ? (await import(replaced.v1)).CallToolRequestSchema : "tools/call";
  pair = await connectPair(era, (server) => {
    server.registerTool("get", {}, () => ({ content: [] }));
    const { server: protocol } = server as unknown as { server: { setRequestHandler(a: unknown, b: unknown): void } };
    protocol.setRequestHandler(schema, ({ params }: { params: { name: string } }) =>
      failing(params.name === "get" ? `password=${SECRET}` : "No such order."),
    );
    return guard(server, { sink: (incident) => incidents.push(incident) });
  });
  expect(JSON.stringify(await pair.client.callTool({ name: "get" }))).not.toContain(SECRET);
  expect(incidents).toHaveLength(1);
});

describe("in a dialect", () => {
  const DIALECTS = { closient, onx, qaqnuz, platica, erlmcp } as unknown as Readonly<Record<string, Dialect<unknown>>>;

  test.each(Object.entries(DIALECTS))(
    "%s: a sentence stays, and a reader of the dialect finds it",
    async (_, dialect) => {
      // The dialect qaqnuz hides foreign text unless the author chooses otherwise.
      const { answer } = await call("v2 modern", failing("Insufficient funds."), { dialect, foreignText: "public" });
      expect(answer).toMatchObject({ isError: true, content: [text("Insufficient funds.")] });
      // No system has a code for a sentence, so none is made up.
      expect(answer).not.toHaveProperty("error");
      expect(answer).not.toHaveProperty("structuredContent");
      expect(answer._meta["recourse/fault"]).toMatchObject({ reason: "tool/failed" });
      expect(detect({ result: answer })?.fault.quote?.text).toContain("Insufficient funds.");
      expect(incidents).toEqual([]);
    },
  );

  test.each(Object.entries(DIALECTS))("%s: a leak is cut out, or answered in the dialect", async (_, dialect) => {
    const { wire } = await call("v2 modern", failing(`password=${SECRET}`), { dialect });
    expect(wire).not.toContain(SECRET);
    const thrower = () => {
      throw new Error(`password=${SECRET}`);
    };
    expect((await call("v2 modern", thrower, { dialect })).wire).not.toContain(SECRET);
    expect(incidents).toHaveLength(2);
  });

  test("qaqnuz's class stands in `_meta`", async () => {
    const { answer } = await call("v2 modern", failing("Insufficient funds."), { dialect: qaqnuz as never });
    expect(answer._meta).toMatchObject({ "recourse/error_class": "terminal" });
  });

  test("a stated fault gets its code", async () => {
    const _meta = { "recourse/fault": shop.away({ host: "db7" }).fault };
    const { answer } = await call("v2 modern", { ...failing("Not there."), _meta }, { dialect: closient as never });
    expect(answer).toMatchObject({ error: { code: -32200 }, content: [text("Not there.")] });
  });

  test("a result in the form of the dialect keeps its own code", async () => {
    const error = { code: 2002, message: "Missing", retryable: false, details: { field: "a" } };
    const { answer } = await call("v2 modern", { ...failing("Missing."), error }, { dialect: onx as never });
    expect(answer).toMatchObject({ error, content: [text("Missing.")] });
    expect(detect({ result: answer })).toMatchObject({ dialect: "onx", fault: { reason: "core/missing_field" } });
  });
});

test("a span says that the tool failed, and how", async () => {
  const failed: Fault[] = [];
  const span = { context: {}, answered() {}, failed: (fault: Fault) => failed.push(fault), returned() {} };
  const telemetry = { run: (_operation: unknown, work: (span: unknown) => unknown) => work(span) } as never;
  await call("v2 modern", failing("Insufficient funds."), { telemetry });
  await call("v2 modern", failing(`password=${SECRET}`), { telemetry });
  expect(failed.map(({ reason, incident }) => [reason, incident !== undefined])).toEqual([
    ["tool/failed", false],
    ["tool/failed", true],
  ]);
});
