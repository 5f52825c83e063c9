import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, it, onTestFinished, test } from "vitest";
import * as z from "zod";
import { http } from "../dialects/http/dialect.ts";
import { mcp } from "../dialects/mcp/dialect.ts";
import type { Fault } from "../fault/fault.ts";
import { isKind, KINDS, type Kind } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { internal, unavailable } from "../reasons/library/core.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import { type GuardOptions, guard } from "./index.ts";
import { releaseFault } from "./release.ts";
import { callerInput } from "./requests/validate-request.ts";

const SENTENCE = "The shelf is empty.";
const LEAK = "Cannot reach postgres://app:hunter2@db.internal/shop";
const ALL_KINDS = Object.keys(KINDS).filter(isKind);

/** A fault of this process that quotes a text of others. */
const quoting = (kind: Kind, from: "peer" | "upstream", text = SENTENCE): Fault =>
  kind === "unknown"
    ? internal.fault({}, { quote: { text, from } })
    : fail[kind]({ quote: { text, from } })`Stop.`.fault;

/** A fault that another server sent. */
const received = (more: object = {}): Fault =>
  mcp.decode({
    result: {
      isError: true,
      content: [],
      _meta: {
        "recourse/fault": {
          v: 1,
          kind: "not_found",
          class: "terminal",
          reason: "shop/missing",
          message: SENTENCE,
          effect: "none",
          recourse: [{ do: "choose_another", candidates: ["shelf_2"] }],
          issues: [{ pointer: "/shelf", rule: "choice", expected: "a shelf that exists" }],
          limits: [{ policy: "shelves", remaining: 0 }],
          basis: "stated",
          origin: { layer: "server", name: "shop" },
          ...more,
        },
      },
    },
  }) as Fault;

/** A fault that was decoded from the reply of a service. */
const replied = (status: number, text = SENTENCE): Fault =>
  http.decode({ status, headers: {}, body: { message: text } }, { text: "quote" }) as Fault;

describe("hide", () => {
  test.each([quoting("conflict", "peer"), quoting("conflict", "upstream"), received(), replied(409)])(
    "shows no text of others: %#",
    (fault) => {
      const { fault: sent, textHidden } = releaseFault(fault, { foreignText: "hide" });
      expect(sent).not.toHaveProperty("quote");
      expect(JSON.stringify(sent)).not.toMatch(/shelf/);
      expect(textHidden).toBe(true);
    },
  );
});

describe("public, the default", () => {
  test.each(ALL_KINDS)("quotes a peer, whatever the kind: %s", (kind) => {
    const { fault, textHidden } = releaseFault(quoting(kind, "peer"), {});
    expect(fault.quote).toEqual({ text: SENTENCE, from: "peer" });
    expect(textHidden).toBe(false);
  });

  /** Kinds about which a service speaks to the caller. */
  const CALLERS: readonly string[] = `
    invalid_input invalid_request unauthenticated forbidden approval_required not_found conflict
    precondition_failed unsupported quota_exhausted
  `
    .trim()
    .split(/\s+/);

  test.each(ALL_KINDS)("quotes a service only about mistakes of the caller: %s", (kind) => {
    const { fault, textHidden } = releaseFault(quoting(kind, "upstream"), {});
    expect(fault.quote?.text).toBe(CALLERS.includes(kind) ? SENTENCE : undefined);
    expect(textHidden).toBe(!CALLERS.includes(kind));
  });

  test("shows all texts of a received fault", () => {
    const { fault, textHidden } = releaseFault(received(), {});
    expect(fault).toMatchObject({
      quote: { text: SENTENCE, from: "peer" },
      issues: [{ expected: "a shelf that exists" }],
      limits: [{ policy: "shelves" }],
      recourse: [{ candidates: ["shelf_2"] }],
      origin: { name: "shop" },
    });
    expect(textHidden).toBe(false);
  });

  test("looks into causes", () => {
    const cause = (inner: Fault) => unavailable.fault({}, { cause: { fault: inner } });
    const withCause = (inner: Fault): Fault => ({ ...cause(inner), cause: inner });
    const shown = releaseFault(withCause(quoting("conflict", "upstream")), {});
    expect(shown.fault.cause?.quote?.text).toBe(SENTENCE);
    const hidden = releaseFault(withCause(quoting("upstream_failed", "upstream")), {});
    expect(hidden.fault.cause).not.toHaveProperty("quote");
    expect(hidden.textHidden).toBe(true);
  });
});

describe("quote", () => {
  test.each(ALL_KINDS)("shows a service, whatever the kind: %s", (kind) => {
    expect(releaseFault(quoting(kind, "upstream"), { foreignText: "quote" }).fault.quote?.text).toBe(SENTENCE);
  });
});

describe.each(["public", "quote"] as const)("%s filters again", (foreignText) => {
  const secrets = createSecretFilter(["swordfish-9"]);

  test.each([
    ["a received fault", () => received({ message: "It is swordfish-9 now." })],
    ["a fault of ours", () => quoting("conflict", "peer", "It is swordfish-9 now.")],
    ["the reply of a service", () => replied(409, "It is swordfish-9 now.")],
  ])("%s, with the secrets of the request", (_, build) => {
    const { fault, textHidden } = releaseFault(build(), { foreignText, secrets });
    expect(JSON.stringify(fault)).not.toContain("swordfish");
    expect(fault.quote?.text).toBe("It is [removed] now.");
    expect(textHidden).toBe(true);
  });

  test("a quotation that was allowed elsewhere", () => {
    const built = fail.conflict({
      quote: { text: "See the file /srv/data/report.pdf there first", from: "peer" },
      allow: ["path"],
    })`Stop.`.fault;
    expect(releaseFault(built, { foreignText }).fault.quote?.text).toBe("See the file [removed] there first");
    expect(releaseFault(built, { foreignText, allow: ["path"] }).fault.quote?.text).toBe(
      "See the file /srv/data/report.pdf there first",
    );
  });

  test("the other texts of a received fault", () => {
    const issues = [{ pointer: "/shelf", rule: "choice", expected: LEAK, suggestion: LEAK }];
    const recourse = [{ do: "choose_another", candidates: [LEAK, "shelf_2"] }];
    const { fault } = releaseFault(received({ issues, recourse, limits: [{ policy: LEAK, remaining: 0 }] }), {
      foreignText,
    });
    expect(JSON.stringify(fault)).not.toContain("hunter2");
    expect(fault.quote?.text).toBe(SENTENCE);
  });
});

test("a value of the option that does not exist shows nothing", () => {
  expect(releaseFault(received(), { foreignText: "declared" as never }).fault).not.toHaveProperty("quote");
});

// A handler whose errors repeat what it was given, at a real server with a real client.

async function connect(options: GuardOptions = { foreignText: "quote" }): Promise<Client> {
  const server = new McpServer({ name: "s", version: "1" });
  guard(server, { sink: () => {}, ...options });
  server.registerTool("leak", { inputSchema: { hint: z.string().optional() } }, () => {
    throw new Error("Cannot open /etc/shadow");
  });
  server.registerTool("open", { inputSchema: { path: z.string() } }, ({ path }) => {
    throw new Error(`No file at ${path}`);
  });
  server.registerTool("login", { inputSchema: { user: z.string(), hint: z.string().optional() } }, ({ user }) => {
    throw new Error(`Login of ${user} failed: password=hunter2`);
  });
  server.registerPrompt("letter", { argsSchema: { to: z.string() } }, ({ to }) => {
    throw new Error(`No address for ${to}`);
  });
  const file = new ResourceTemplate("file:///{name}", { list: undefined });
  server.registerResource("file", file, {}, ({ href }) => {
    throw new Error(`Nothing is stored at ${href}`);
  });
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  JSON.stringify(await client.callTool({ name, arguments: args }));
const failureOf = async (answer: Promise<unknown>) =>
  JSON.stringify(await answer.catch((error) => [error.message, error.data]));

it("shows a sentence that repeats an argument of its call", async () => {
  const client = await connect();
  expect(await call(client, "open", { path: "/home/ann/report.pdf" })).toContain("No file at /home/ann/report.pdf");
});

it("hides it where no text of others is shown", async () => {
  const client = await connect({ foreignText: "hide" });
  expect(await call(client, "open", { path: "/home/ann/report.pdf" })).not.toContain("No file");
});

it("does not show what the caller did not send, whatever it sends", async () => {
  const client = await connect();
  for (const hint of [undefined, "password=", "password", "hunter", "Login of eve@x.example failed: password="]) {
    expect(await call(client, "login", { user: "eve@x.example", hint })).not.toContain("hunter2");
  }
});

it("does not take the arguments of one call for those of another", async () => {
  const client = await connect();
  const [sent, unsent] = await Promise.all([
    call(client, "leak", { hint: "/etc/shadow" }),
    call(client, "leak", { hint: "Cannot open" }),
    call(client, "open", { path: "/etc/shadow" }),
  ]);
  expect(sent).toContain("Cannot open /etc/shadow");
  expect(unsent).not.toContain("shadow");
  expect(await call(client, "leak", {})).not.toContain("shadow");
});

it("shows the arguments of a prompt and the address of a resource again", async () => {
  const client = await connect();
  const prompt = client.getPrompt({ name: "letter", arguments: { to: "ann@corp.example" } });
  expect(await failureOf(prompt)).toContain("No address for ann@corp.example");
  const resource = client.readResource({ uri: "file:///a.txt" });
  expect(await failureOf(resource)).toContain("Nothing is stored at file:///a.txt");
});

it("knows what a caller sends freely with each method", () => {
  expect(callerInput({ method: "tools/call", params: { name: "x", arguments: { a: 1 } } })).toEqual({ a: 1 });
  expect(callerInput({ method: "prompts/get", params: { name: "x", arguments: { a: "b" } } })).toEqual({ a: "b" });
  expect(callerInput({ method: "resources/read", params: { uri: "file:///x" } })).toBe("file:///x");
  const params = { ref: { name: "p" }, argument: { name: "a", value: "v" }, context: { arguments: { b: "w" } } };
  expect(callerInput({ method: "completion/complete", params })).toEqual(["v", { b: "w" }]);
  expect(callerInput({ method: "tools/list" })).toBe(undefined);
  expect(callerInput({ method: "toString", params: {} })).toBe(undefined);
});
