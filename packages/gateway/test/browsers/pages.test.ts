import { hash } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { tool as toolReasons } from "@recourse/core/reasons";
import { guard, guardHandler } from "@recourse/core/server";
import { bundle } from "@recourse/test-kit/bundle";
import {
  CHROMIUM,
  fetchInPage,
  IN_CHROMIUM,
  type PageAnswer,
  type PageRequest,
  startChromium,
  startSite,
  type TestSite,
} from "@recourse/test-kit/chromium";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders } from "../support/post.ts";
import { OK, sendJson, startStubUpstream, tokenIn } from "../support/stub-upstream.ts";

const JSON_TYPE = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const KEY = {
  id: "browser",
  sha256: hash("sha256", "page-key"),
  tenant: "t",
  tools: ["*"],
  scopes: [],
  entitlements: [],
  dialect: undefined,
};
const JWT = {
  issuer: "https://issuer.example",
  audience: "gateway",
  jwksUrl: "https://issuer.example/keys",
  tenantClaim: "tenant",
  tools: ["*"],
  dialect: undefined,
};
const AUTHORIZED = { authorization: "Bearer page-key" };

describe.skipIf(CHROMIUM === undefined)(`pages of other origins in Chromium${IN_CHROMIUM}`, () => {
  let browser: Browser;
  let served: TestSite;
  let foreign: TestSite;
  beforeAll(async () => {
    browser = await startChromium();
    served = await startSite();
    foreign = await startSite();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await foreign?.close();
  });

  async function openPage(origin: string): Promise<Page> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    // The limit of the test is enough.
    await page.goto(`${origin}/`, { timeout: 0 });
    return page;
  }

  async function readAnswer(page: Page, request: PageRequest): Promise<PageAnswer> {
    const answer = await fetchInPage(page, request);
    if (answer === "blocked") throw new Error(`the browser kept the answer of ${request.url} from the page`);
    return answer;
  }

  const callRequest = (url: URL, tool: string, more: Readonly<Record<string, string>> = {}): PageRequest => ({
    url: url.href,
    headers: { ...modernHeaders("tools/call", tool), ...more },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":{},"_meta":{${MODERN_META},"progressToken":7}}}`,
  });

  /** A gateway with a tool that reports progress, and one that fails. */
  async function startShop(origins: readonly string[] = [served.byName, served.byAddress]) {
    const stub = await startStubUpstream(
      ({ id, text }, response) => {
        if (text.includes('"fails"')) {
          sendJson(
            response,
            `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"It failed."}]}}`,
          );
          return;
        }
        const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${tokenIn(text)},"progress":1}}`;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${progress}\n\n`);
        response.end(`data: {"jsonrpc":"2.0","id":${id},"result":${OK}}\n\n`);
      },
      ["slow", "fails"],
    );
    const gateway = await startTestGateway({
      origins,
      authentication: "required",
      publicUrl: "https://mcp.example.com",
      keys: [KEY],
      jwt: JWT,
      upstreams: [httpUpstream(stub.url)],
    });
    return { stub, url: gateway.url };
  }

  describe("at the gateway", () => {
    test.each(["byName", "byAddress"] as const)(
      "a page that is served (%s) calls, and reads what it needs",
      async (by) => {
        const { url } = await startShop();
        const page = await openPage(served[by]);
        const init = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"page","version":"1"}}}`;
        const begun = await readAnswer(page, { url: url.href, headers: { ...JSON_TYPE, ...AUTHORIZED }, body: init });
        const session = begun.headers["mcp-session-id"] ?? "";
        expect([begun.status, session]).toEqual([200, expect.stringMatching(/./)]);
        const listed = await readAnswer(page, {
          url: url.href,
          headers: { ...JSON_TYPE, ...AUTHORIZED, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
          body: '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}',
        });
        expect(listed.text).toContain("up__slow");

        const streamed = await readAnswer(
          page,
          callRequest(url, "up__slow", { ...AUTHORIZED, "mcp-param-region": "eu" }),
        );
        expect(streamed.headers["content-type"]).toBe("text/event-stream");
        expect(streamed.text).toMatch(/notifications\/progress.*"text":"ok"/s);

        const failed = await readAnswer(page, callRequest(url, "up__fails", AUTHORIZED));
        expect(failed.text).toContain("recourse/fault");

        const unknown = await readAnswer(page, callRequest(url, "up__slow"));
        expect([unknown.status, unknown.headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer/)]);
      },
    );

    test("a page that is not served gets nothing, and nothing of it reaches an upstream", async () => {
      const { url, stub } = await startShop();
      const page = await openPage(foreign.byName);
      expect(await fetchInPage(page, callRequest(url, "up__slow", AUTHORIZED))).toBe("blocked");
      // Without a preflight: this one is sent, and refused.
      const simple = { url: url.href, headers: { "content-type": "text/plain" }, body: "{}" };
      expect(await fetchInPage(page, simple)).toBe("blocked");
      expect(stub.received).toEqual([]);
    });

    test("every page may read where to sign in", async () => {
      const { url } = await startShop();
      const page = await openPage(foreign.byAddress);
      const metadata = await readAnswer(page, {
        url: new URL("/.well-known/oauth-protected-resource/mcp", url).href,
        method: "GET",
        headers: { "mcp-protocol-version": "2025-11-25" },
      });
      expect(JSON.parse(metadata.text)).toMatchObject({ authorization_servers: [JWT.issuer] });
    });
  });

  describe("at guardHandler, behind a framework that writes the headers", () => {
    /** A guarded server with a tool that fails, for pages of the first site. */
    async function startGuarded(): Promise<URL> {
      const handler = createMcpHandler(() => {
        const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
        server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "hello" }] }));
        server.registerTool("fails", {}, () => {
          throw toolReasons.not_found({ tool: "other" });
        });
        return server;
      });
      const options = {
        allowedOrigins: [served.byName],
        sink: () => {},
        name: "browser test",
        auth: {
          authenticate: ({ headers }: Request) =>
            headers.get("authorization") === "Bearer page-key" ? { ok: true as const } : { ok: false as const },
        },
      };
      const guarded = guardHandler(handler, options);
      const app = new Hono();
      app.use("*", cors({ origin: options.allowedOrigins, exposeHeaders: ["www-authenticate"] }));
      app.all("*", (c) => guarded.fetch(c.req.raw));
      const { url, close } = await listenOnLoopback(createServer(getRequestListener(app.fetch)));
      onTestFinished(close);
      return url;
    }

    test("a page that is allowed calls, and reads what it needs", async () => {
      const url = await startGuarded();
      const page = await openPage(served.byName);
      const called = await readAnswer(page, callRequest(url, "hello", AUTHORIZED));
      expect(called.text).toContain('"text":"hello"');
      const failed = await readAnswer(page, callRequest(url, "fails", AUTHORIZED));
      expect(failed.text).toContain("recourse/fault");
      const unknown = await readAnswer(page, callRequest(url, "hello"));
      expect([unknown.status, unknown.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    });

    test("a page that is not allowed gets nothing", async () => {
      const url = await startGuarded();
      for (const origin of [foreign.byName, served.byAddress]) {
        expect(await fetchInPage(await openPage(origin), callRequest(url, "hello", AUTHORIZED))).toBe("blocked");
      }
    });
  });

  test("the official clients of both versions run in a page", async () => {
    const { code } = await bundle(`
      import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
      import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
      import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
      const VERSIONS = {
        old: () => [new OldClient({ name: "page", version: "1" }), OldTransport],
        new: () => [new NewClient({ name: "page", version: "1" }, { versionNegotiation: { mode: "auto" } }), NewTransport],
      };
      globalThis.callWith = async ({ version, url }) => {
        const [client, Transport] = VERSIONS[version]();
        await client.connect(new Transport(new URL(url), { requestInit: { headers: { authorization: "Bearer page-key" } } }));
        const { tools } = await client.listTools();
        const progress = [];
        const result = await client.callTool({ name: "up__slow", arguments: {} }, ...callOptions(version, progress));
        await client.close();
        return { tools: tools.map(({ name }) => name), text: result.content[0].text, progress };
      };
      function callOptions(version, progress) {
        const options = { onprogress: (one) => progress.push(one.progress) };
        return version === "old" ? [undefined, options] : [options];
      }
    `);
    const site = await startSite(code);
    onTestFinished(() => site.close());
    const { url } = await startShop([site.byName]);
    const page = await openPage(site.byName);
    for (const version of ["old", "new"] as const) {
      const call = page.evaluate(
        (args) => (globalThis as unknown as { callWith(given: typeof args): Promise<unknown> }).callWith(args),
        { version, url: url.href },
      );
      expect(await call).toEqual({ tools: ["up__slow", "up__fails"], text: "ok", progress: [1] });
    }
  });
});
