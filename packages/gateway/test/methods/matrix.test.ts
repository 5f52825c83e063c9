// Every method, for callers of both eras, at every sort of upstream: what really passes, compared with the table of the docs.
import { readFileSync } from "node:fs";
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v1 from "@modelcontextprotocol/sdk/types.js";
import { answerJson, startUpstream } from "@recourse/test-kit/loopback";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { httpUpstream, restUpstream, stdioUpstream, testConfig } from "../support/config.ts";
import { startNewerPeer, startOlderPeer } from "./matrix-peer.ts";

/** The sorts of upstreams, as the columns of the table name them. */
const UPSTREAMS = ["http-older", "http-newer", "stdio-older", "stdio-newer", "rest"] as const;
type UpstreamName = (typeof UPSTREAMS)[number];
const CALLERS = ["older", "newer"] as const;
type CallerEra = (typeof CALLERS)[number];

/** What a client of either era can do, and what it has heard. */
interface MatrixClient {
  request(method: string, params: object, more?: { onProgress?: () => void; signal?: AbortSignal }): Promise<unknown>;
  notify(method: string): Promise<void>;
  /** Follows a resource, and changes of lists. */
  follow(uri: string): Promise<void>;
  /** Methods that came from the server, with the URI or text in them. */
  readonly heard: string[];
  close(): Promise<void>;
}

/** How long a request may take is up to the gateway. */
const REQUEST_MS = 600_000;
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: { listChanged: true } };
const ANSWERS = {
  "elicitation/create": { action: "accept", content: { city: "Rome" } },
  "sampling/createMessage": { model: "m", role: "assistant", content: { type: "text", text: "Rome" } },
} as const;
const ROOTS = { roots: [{ uri: "file:///rome" }] };

async function connectOlder(url: URL): Promise<MatrixClient> {
  const client = new OlderClient({ name: "matrix", version: "1.0.0" }, { capabilities: CAPABILITIES });
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) =>
    void heard.push(`${method} ${JSON.stringify(params)}`);
  client.setRequestHandler(v1.ElicitRequestSchema, () => ANSWERS["elicitation/create"]);
  client.setRequestHandler(v1.CreateMessageRequestSchema, () => ANSWERS["sampling/createMessage"]);
  client.setRequestHandler(v1.ListRootsRequestSchema, () => ROOTS);
  await client.connect(new OlderTransport(url) as never);
  await client.setLoggingLevel("debug");
  return {
    heard,
    request: (method, params, { onProgress, signal } = {}) =>
      client.request({ method, params } as never, v1.ResultSchema, {
        timeout: REQUEST_MS,
        ...(signal !== undefined && { signal }),
        ...(onProgress !== undefined && { onprogress: onProgress }),
      }),
    notify: (method) => client.notification({ method } as never),
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    close: () => client.close(),
  };
}

async function connectNewer(url: URL): Promise<MatrixClient> {
  const client = new NewerClient(
    { name: "matrix", version: "1.0.0" },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) =>
    void heard.push(`${method} ${JSON.stringify(params)}`);
  client.setRequestHandler("elicitation/create", () => ANSWERS["elicitation/create"]);
  client.setRequestHandler("sampling/createMessage", () => ANSWERS["sampling/createMessage"]);
  client.setRequestHandler("roots/list", () => ROOTS);
  await client.connect(new NewerTransport(url));
  return {
    heard,
    request: (method, params, { onProgress, signal } = {}) => {
      const _meta = { "io.modelcontextprotocol/logLevel": "debug" };
      return client.request(
        { method, params: { ...params, _meta } } as never,
        {
          timeout: REQUEST_MS,
          ...(signal !== undefined && { signal }),
          ...(onProgress !== undefined && { onprogress: onProgress }),
        } as never,
      );
    },
    notify: (method) => client.notification({ method } as never),
    follow: async (uri) => void (await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })),
    close: () => client.close(),
  };
}

/** Tries one row at one upstream: what it gives has to contain the text. */
interface Row {
  readonly expects: string;
  readonly run: (client: MatrixClient, upstream: UpstreamName, patience: Patience) => Promise<unknown>;
}

/** How long to wait for what does not come with an answer. */
interface Patience {
  readonly timeout: number;
}

const tool = (name: string) => (client: MatrixClient, upstream: UpstreamName) =>
  client.request("tools/call", { name: `${upstream}__${name}`, arguments: {} });

/** How often the upstream has seen something. */
async function seenAt(
  client: MatrixClient,
  upstream: UpstreamName,
  what: "begun" | "cancelled" | "rootsChanged",
): Promise<number> {
  const [, count] = new RegExp(`${what}\\\\":(\\d+)`).exec(JSON.stringify(await tool("seen")(client, upstream))) ?? [];
  return Number(count);
}

/** Lets an upstream say something by a tool, again and again until the client has heard it. */
async function heardOf(
  { client, say, patience }: { client: MatrixClient; say: () => Promise<unknown>; patience: Patience },
  start: string,
  text = "",
): Promise<string> {
  const isIt = (one: string) => one.startsWith(start) && one.includes(text);
  const isHeard = async () => {
    await say();
    return client.heard.some(isIt);
  };
  await expect.poll(isHeard, patience).toBe(true);
  return client.heard.find(isIt) ?? "";
}

const ROWS: Readonly<Record<string, Row>> = {
  "tools/list": { expects: "__echo", run: listed("tools/list") },
  "tools/call": { expects: "echo", run: tool("echo") },
  "prompts/list": { expects: "__greet", run: listed("prompts/list") },
  "prompts/get": {
    expects: '"messages":[]',
    run: (client, upstream) => client.request("prompts/get", { name: `${upstream}__greet`, arguments: { city: "x" } }),
  },
  "resources/list": { expects: "note://", run: listed("resources/list") },
  "resources/templates/list": { expects: "{id}", run: listed("resources/templates/list") },
  "resources/read": {
    expects: '"text":"note"',
    run: (client, upstream) => client.request("resources/read", { uri: `note://${upstream}` }),
  },
  "completion/complete": {
    expects: "Berlin",
    run: (client, upstream) =>
      client.request("completion/complete", {
        ref: { type: "ref/prompt", name: `${upstream}__greet` },
        argument: { name: "city", value: "B" },
      }),
  },
  "elicitation/create": { expects: "Rome", run: tool("elicit") },
  "sampling/createMessage": { expects: "Rome", run: tool("sample") },
  "roots/list": { expects: "file:///rome", run: tool("roots") },
  "notifications/progress": {
    expects: "1 seen",
    async run(client, upstream) {
      let seen = 0;
      const onProgress = () => {
        seen += 1;
      };
      await client.request("tools/call", { name: `${upstream}__chat`, arguments: {} }, { onProgress });
      return `${seen} seen`;
    },
  },
  "notifications/message": {
    expects: "log of",
    run(client, upstream, patience) {
      const say = () => tool("chat")(client, upstream);
      return heardOf({ client, say, patience }, "notifications/message", `log of ${upstream}`);
    },
  },
  "notifications/cancelled": {
    expects: "once more",
    async run(client, upstream, patience) {
      const before = await seenAt(client, upstream, "cancelled");
      const begun = await seenAt(client, upstream, "begun");
      const leaving = new AbortController();
      const call = client
        .request("tools/call", { name: `${upstream}__slow`, arguments: {} }, { signal: leaving.signal })
        .catch(() => undefined);
      await expect.poll(() => seenAt(client, upstream, "begun"), patience).toBe(begun + 1);
      leaving.abort();
      await call;
      await expect.poll(() => seenAt(client, upstream, "cancelled"), patience).toBe(before + 1);
      return "once more";
    },
  },
  "notifications/resources/updated": {
    expects: "note://",
    async run(client, upstream, patience) {
      await client.follow(`note://${upstream}`);
      const say = () => tool("touch")(client, upstream);
      return heardOf({ client, say, patience }, "notifications/resources/updated", `note://${upstream}`);
    },
  },
  "notifications/tools/list_changed": {
    expects: "list_changed",
    async run(client, upstream, patience) {
      await client.follow(`note://${upstream}`).catch(() => undefined);
      client.heard.length = 0;
      const say = () => tool("grow")(client, upstream);
      return heardOf({ client, say, patience }, "notifications/tools/list_changed");
    },
  },
  "notifications/roots/list_changed": {
    expects: "more",
    async run(client, upstream, patience) {
      const before = await seenAt(client, upstream, "rootsChanged");
      await client.notify("notifications/roots/list_changed");
      // Sessions of one caller share its process, and each of them tells it.
      await expect.poll(() => seenAt(client, upstream, "rootsChanged"), patience).toBeGreaterThan(before);
      return "more";
    },
  },
};

/** The entries of a list that belong to one upstream. A process may start later than the gateway waits for its lists. */
function listed(method: string): Row["run"] {
  return async (client, upstream, patience) => {
    let found: unknown[] = [];
    const list = async () => {
      const entries = Object.values((await client.request(method, {})) as object).find(Array.isArray) ?? [];
      found = (entries as unknown[]).filter((entry) => JSON.stringify(entry).includes(upstream));
      return found;
    };
    await expect.poll(list, patience).not.toEqual([]);
    return found;
  };
}

const closing: (() => Promise<void>)[] = [];
let gateway: Gateway;
beforeAll(async () => {
  const [older, newer] = [await startOlderPeer("http-older"), await startNewerPeer("http-newer")];
  const rest = await startUpstream(({ target }, response) =>
    answerJson(response, 200, target === "/openapi.json" ? DOCUMENT : { said: "echo" }),
  );
  closing.push(
    () => older.close(),
    () => newer.close(),
    () => rest.close(),
  );
  const common = (name: UpstreamName) => ({ name, prefix: `${name}__` });
  gateway = await startGateway(
    testConfig({
      drainMs: 0,
      upstreams: [
        httpUpstream(older.url, { ...common("http-older"), era: "2025-11-25" }),
        httpUpstream(newer.url, common("http-newer")),
        childUpstream("stdio-older", "older"),
        childUpstream("stdio-newer", "newer"),
        restUpstream(`${rest.url}/openapi.json`, { ...common("rest"), server: rest.url }),
      ],
    }),
  );
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all(closing.map((close) => close()));
});

function childUpstream(name: UpstreamName, era: CallerEra): UpstreamConfig {
  const command = [process.execPath, "--no-warnings", "--conditions=@recourse/source", PEER, era, name] as const;
  return stdioUpstream(command, { name, prefix: `${name}__`, per: "caller", maxChildren: 8 });
}

/** The document of the REST API. */
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "rest", version: "1" },
  servers: [{ url: "/" }],
  paths: { "/echo": { post: { operationId: "echo", responses: { 200: { description: "echo" } } } } },
};

const PEER = new URL("matrix-peer.ts", import.meta.url).pathname;
const PAGE = readFileSync(new URL("../../../../docs/gateway/methods.md", import.meta.url), "utf8");

/** What the page says about a row: by the era of the caller, a cell for each upstream. */
function documented(method: string, caller: CallerEra): readonly string[] {
  const [, cells = ""] = new RegExp(`^\\| \`${method}\` ${caller} \\|(.*)\\|$`, "m").exec(PAGE) ?? [];
  return cells.split("|").map((cell) => cell.trim());
}

describe.each(CALLERS)("a caller of the %s era", (era) => {
  it.each(Object.entries(ROWS))("%s", async (method, { run, expects }) => {
    const cells = documented(method, era);
    const passes = await Promise.all(
      UPSTREAMS.map(async (upstream, at) => {
        const client = await (era === "older" ? connectOlder(gateway.url) : connectNewer(gateway.url));
        // A longer wait would only see more of what must not come.
        const patience = { timeout: cells[at] === "yes" ? 30_000 : 300 };
        try {
          return JSON.stringify(await run(client, upstream, patience)).includes(expects);
        } catch {
          return false;
        } finally {
          await client.close();
        }
      }),
    );
    expect(passes.map((one) => (one ? "yes" : "–"))).toEqual(cells);
  });
});

test("the table has no other rows", () => {
  const rows = [...PAGE.matchAll(/^\| `([^`]+)` (?:older|newer) \|/gm)].map(([, method]) => method);
  expect([...new Set(rows)]).toEqual(Object.keys(ROWS));
});
