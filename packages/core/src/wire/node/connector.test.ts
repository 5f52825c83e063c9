import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { createCertificate, type TestCertificate } from "@recourse/test-kit/certificates";
import { closeAfterTest, serve } from "@recourse/test-kit/fixtures";
import { startForwardProxy } from "@recourse/test-kit/forward-proxy";
import { buildConnector, Pool } from "undici";
import { describe, expect, it } from "vitest";
import { ProxyError, trustAlso, viaProxy } from "./connector.ts";
import { createProxyChoice } from "./proxy-rules.ts";

const authority = { name: "Test CA", ...createCertificate({ name: "Test CA", authority: true }) };

/** A server that says hello, over TLS if it has a certificate. */
async function startHello(certificate?: TestCertificate): Promise<number> {
  const server = certificate === undefined ? createServer() : createTlsServer(certificate);
  server.on("request", (_, response) => response.end("hello"));
  return Number((await serve(server)).port);
}

const forName = (name: string) => createCertificate({ name, issuer: authority });

interface Asked {
  readonly proxy?: URL;
  readonly ca?: readonly string[];
  readonly timeoutMs?: number;
}

/** Asks a server for its text. */
async function ask(address: string, { proxy, ca, timeoutMs = 10_000 }: Asked = {}): Promise<string> {
  const secureContext = trustAlso(ca);
  const choice = proxy && createProxyChoice({ http: proxy.href, https: proxy.href });
  const direct = buildConnector({ allowH2: false, ...(secureContext && { secureContext }) });
  const pool = new Pool(address, { connect: viaProxy(direct, { proxy: choice, timeoutMs, secureContext }) });
  try {
    const { body } = await pool.request({ path: "/", method: "GET" });
    return await body.text();
  } finally {
    await pool.destroy();
  }
}

const openProxy = async (...options: Parameters<typeof startForwardProxy>) =>
  closeAfterTest(await startForwardProxy(...options));

const failureOf = (asking: Promise<unknown>) =>
  asking.then(
    () => expect.unreachable(),
    (error: Error & { code?: string; isMisconfigured?: boolean }) => error,
  );

describe("a connection through a proxy", () => {
  it("leads to a name that only the proxy knows, with its password, for both protocols", async () => {
    const proxy = await openProxy({ user: "ann:s3cret/word" });
    const url = Object.assign(new URL(proxy.url), { username: "ann", password: "s3cret%2Fword" });
    const [plain, secure] = [await startHello(), await startHello(forName("api.test"))];
    await expect(ask(`http://api.test:${plain}`, { proxy: url })).resolves.toBe("hello");
    await expect(ask(`https://api.test:${secure}`, { proxy: url, ca: [authority.cert] })).resolves.toBe("hello");
    expect(proxy.asked).toEqual([`api.test:${plain}`, `api.test:${secure}`]);
  });

  it("can be protected by TLS itself", async () => {
    const proxy = await openProxy({ tls: forName("127.0.0.1") });
    const port = await startHello(forName("api.test"));
    await expect(ask(`https://api.test:${port}`, { proxy: proxy.url, ca: [authority.cert] })).resolves.toBe("hello");
    const error = await failureOf(ask(`http://api.test:${port}`, { proxy: proxy.url }));
    expect(error).toBeInstanceOf(ProxyError);
    expect(error.message).toMatch(/^the proxy 127\.0\.0\.1:\d+: the certificate of 127\.0\.0\.1 is not signed by a CA/);
    expect(error.isMisconfigured).toBe(true);
  });

  it.each([
    [407, true],
    [403, true],
    [302, true],
    [429, false],
    [502, false],
  ])("is refused with HTTP status %s", async (status, isMisconfigured) => {
    const proxy = await openProxy();
    proxy.fault = status;
    const url = Object.assign(new URL(proxy.url), { username: "ann", password: "s3cret-word" });
    const error = await failureOf(ask("https://api.test", { proxy: url }));
    expect(error.message).toBe(
      `the proxy ${proxy.url.host} refused a connection to api.test:443 with HTTP status ${status}`,
    );
    expect(error).toMatchObject({ isMisconfigured, code: "ERR_PROXY_TUNNEL" });
  });

  it("fails within its time if the proxy says nothing", async () => {
    const proxy = await openProxy();
    proxy.fault = "hang";
    const error = await failureOf(ask("https://api.test", { proxy: proxy.url, timeoutMs: 100 }));
    expect(error.message).toBe(`the proxy ${proxy.url.host} opened no connection within 100 ms`);
  });

  it("fails if the proxy hangs up, is not there, or is not a proxy", async () => {
    const proxy = await openProxy();
    proxy.fault = "close";
    const lost = await failureOf(ask("https://api.test", { proxy: proxy.url }));
    expect(lost.message).toBe(`the connection to the proxy ${proxy.url.host} failed (ECONNRESET)`);
    await proxy.close();
    const gone = await failureOf(ask("https://api.test", { proxy: proxy.url }));
    expect(gone.message).toBe(`the connection to the proxy ${proxy.url.host} failed (ECONNREFUSED)`);

    const mail = await serve(createTcpServer((socket) => socket.resume().end("220 mail.test ESMTP\r\n")));
    const wrong = await failureOf(ask("https://api.test", { proxy: mail }));
    expect(wrong).toBeInstanceOf(ProxyError);
    expect(wrong.message).toContain(`the connection to the proxy ${mail.host} failed (HPE_`);
  });
});

describe("a certificate", () => {
  it("of a CA that was added is trusted, and the CAs of Node stay", async () => {
    const port = await startHello(forName("127.0.0.1"));
    await expect(ask(`https://127.0.0.1:${port}`, { ca: [authority.cert] })).resolves.toBe("hello");
    expect(trustAlso([])).toBeUndefined();
  });

  it.each([
    ["no CA that is known", createCertificate({ name: "127.0.0.1" }), "is not signed by a CA that is known"],
    ["another name", forName("127.0.0.2"), "is for another name"],
    ["the past", createCertificate({ name: "127.0.0.1", issuer: authority, days: [-10, -1] }), "has expired"],
    ["the future", createCertificate({ name: "127.0.0.1", issuer: authority, days: [1, 9] }), "is not valid yet"],
  ])("of %s is refused with the name of the host, and the code stays", async (_, certificate, expected) => {
    const port = await startHello(certificate);
    const error = await failureOf(ask(`https://127.0.0.1:${port}`, { ca: [authority.cert] }));
    expect(error.message).toMatch(`the certificate of 127.0.0.1 ${expected} (`);
    expect(error.message).toContain(`(${error.code})`);
  });
});
