// Every cause on the way to a server over HTTP, reproduced by a real server on loopback.
import type { RequestListener } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type ConnectionCauseId, HTTP_CAUSES } from "@recourse/explain";
import { createCertificate } from "@recourse/test-kit/certificates";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeConnections } from "../../src/doctor/judge-connection.ts";
import { diagnose } from "./run-doctor.ts";
import { always, closedPort, listen, overHttp, overTcp, overTls, proxyTo, sdkV1, sdkV2 } from "./servers.ts";

/** Says every text of a cause in one. */
const textsOf = (cause: object | null): string => Object.values(cause ?? {}).join("\n");
const SHORT = ["--timeout", "3"];

describe("names and connections", () => {
  test("D21: nothing listens", async () => {
    const port = await closedPort();
    const { cause, exit } = await diagnose([`http://127.0.0.1:${port}/mcp`]);
    expect(cause?.id).toBe("D21");
    expect(cause?.saw).toContain(String(port));
    expect(exit).toBe("findings");
  });

  test("D22: it listens on the other loopback address only", async ({ skip }) => {
    const server = await listen(overHttp(always(200)), "::1").catch(() => undefined);
    skip(server === undefined, "this machine has no IPv6");
    if (server === undefined) return;
    await using open = server;
    const { cause } = await diagnose([`http://127.0.0.1:${open.port}/mcp`]);
    expect(cause).toMatchObject({ id: "D22", next: `recourse doctor "http://[::1]:${open.port}/mcp"` });
  });

  test("D22: the same the other way round", async ({ skip }) => {
    const ipv6 = await listen(
      overTcp(() => {}),
      "::1",
    ).catch(() => undefined);
    skip(ipv6 === undefined, "this machine has no IPv6");
    await ipv6?.[Symbol.asyncDispose]();
    await using server = await listen(overHttp(always(200)));
    const { cause } = await diagnose([`http://[::1]:${server.port}/mcp`]);
    expect(cause).toMatchObject({ id: "D22", next: `recourse doctor http://127.0.0.1:${server.port}/mcp` });
  });

  test("D23: a name that does not exist", async () => {
    const { cause } = await diagnose(["http://recourse.invalid/mcp"]);
    expect(cause?.id).toBe("D23");
    expect(cause?.saw).toContain("recourse.invalid");
  });

  test("D45: no route to the address. Loopback always answers, so the rule is asked without a network", () => {
    const url = new URL("http://192.0.2.1/mcp");
    const addresses = [{ address: "192.0.2.1", ms: 5000, error: "ETIMEDOUT" }];
    expect(judgeConnections({ url, addresses })?.id).toBe("D45");
  });
});

// Most of their time is waiting.
describe.concurrent("ports that do not speak HTTP", () => {
  interface Case {
    readonly what: string;
    readonly greeting?: string;
    /** What it answers to some bytes. Undefined closes the connection. */
    readonly answer?: (bytes: Buffer) => string | Buffer | undefined;
    readonly says: RegExp;
  }
  const CASES: readonly Case[] = [
    { what: "SSH, which speaks first", greeting: "SSH-2.0-OpenSSH_9.6\r\n", says: /is SSH/ },
    { what: "MySQL, which speaks first", greeting: "J\0\0\0\n8.4.2\0", says: /MySQL/ },
    {
      what: "Redis, which closes at POST",
      answer: (bytes) => (bytes.toString().startsWith("PING") ? "+PONG\r\n" : undefined),
      says: /is Redis/,
    },
    {
      what: "PostgreSQL, which closes at POST",
      answer: (bytes) => (bytes.length === 8 ? "N" : undefined),
      says: /is PostgreSQL/,
    },
    { what: "a service that only closes", answer: () => undefined, says: /closed the connection/ },
    { what: "a service that nobody knows", answer: () => "\u0001\u0002 hello\u001b[2J", says: /\\x01\\x02 hello\\x1b/ },
  ];
  test.for(CASES)("D24: $what", async ({ greeting, answer, says }) => {
    await using server = await listen(
      overTcp((socket) => {
        if (greeting !== undefined) socket.write(greeting, "latin1");
        socket.on("data", (bytes) => {
          const text = answer?.(bytes);
          if (text === undefined) socket.destroy();
          else socket.write(text);
        });
      }),
    );
    const { cause } = await diagnose([...SHORT, `http://127.0.0.1:${server.port}/mcp`]);
    expect(cause?.id).toBe("D24");
    expect(textsOf(cause)).toMatch(says);
  });

  test("D24: TLS behind an address that begins with http", async () => {
    await using server = await listen(overTls(createCertificate({ name: "localhost" }), always(200)));
    const { cause } = await diagnose([`http://127.0.0.1:${server.port}/mcp`]);
    expect(cause).toMatchObject({ id: "D24", next: `recourse doctor https://127.0.0.1:${server.port}/mcp` });
  });

  test("D25: the connection opens, and nothing comes", async () => {
    await using server = await listen(overTcp(() => {}));
    const { cause } = await diagnose([...SHORT, `http://127.0.0.1:${server.port}/mcp`]);
    expect(cause?.id).toBe("D25");
  });

  test("D25: TLS gets no answer", async () => {
    await using server = await listen(overTcp(() => {}));
    const { cause } = await diagnose([...SHORT, `https://127.0.0.1:${server.port}/mcp`], {
      waits: { questionMs: 200 },
    });
    expect(cause?.id).toBe("D25");
  });
});

describe("TLS", () => {
  const before = getCACertificates("default");
  const authority = { name: "Test authority", ...createCertificate({ name: "Test authority", authority: true }) };
  beforeAll(() => setDefaultCACertificates([...before, authority.cert]));
  afterAll(() => setDefaultCACertificates(before));

  const CASES = [
    {
      what: "self-signed",
      certificate: () => createCertificate({ name: "localhost" }),
      problems: /\(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    },
    {
      what: "expired",
      certificate: () => createCertificate({ name: "localhost", issuer: authority, days: [-20, -10] }),
      problems: /\(CERT_HAS_EXPIRED\)/,
    },
    {
      what: "not valid yet",
      certificate: () => createCertificate({ name: "localhost", issuer: authority, days: [10, 20] }),
      problems: /\(CERT_NOT_YET_VALID\)/,
    },
    {
      what: "made for another name",
      certificate: () => createCertificate({ name: "shop.example", issuer: authority }),
      problems: /\(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    },
    {
      what: "of an unknown issuer",
      certificate: () =>
        createCertificate({
          name: "localhost",
          issuer: { name: "Unknown", ...createCertificate({ name: "Unknown", authority: true }) },
        }),
      problems: /\(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    },
    {
      what: "all of these at once",
      certificate: () => createCertificate({ name: "shop.example", days: [-20, -10] }),
      problems: /SELF_SIGNED.*CERT_HAS_EXPIRED.*ALTNAME/,
    },
  ] as const;
  test.for(CASES)("D26: a certificate that is $what", async ({ certificate, problems }) => {
    let requests = 0;
    await using server = await listen(overTls(certificate(), () => requests++));
    const { cause } = await diagnose([
      "-H",
      "Authorization: Bearer s3cret-token",
      `https://localhost:${server.port}/mcp`,
    ]);
    expect(cause?.id).toBe("D26");
    expect(cause?.saw).toMatch(problems);
    // The credential must not travel to a server that did not prove its name.
    expect(requests).toBe(0);
  });

  test("D26: names the address that the certificate is made for", async () => {
    await using server = await listen(
      overTls(createCertificate({ name: "shop.example", issuer: authority }), always(200)),
    );
    const { cause } = await diagnose([`https://localhost:${server.port}/mcp`]);
    expect(cause?.next).toBe(`recourse doctor https://shop.example:${server.port}/mcp`);
  });

  test("D27: https to a port that speaks plain HTTP", async () => {
    await using server = await listen(overHttp(always(200)));
    const { cause } = await diagnose([`https://127.0.0.1:${server.port}/mcp`]);
    expect(cause).toMatchObject({ id: "D27", next: `recourse doctor http://127.0.0.1:${server.port}/mcp` });
  });

  test("a server with a certificate that is accepted is ready", async () => {
    await using server = await listen(overTls(createCertificate({ name: "localhost", issuer: authority }), sdkV2()));
    const { cause, steps } = await diagnose([`https://localhost:${server.port}/mcp`]);
    expect(cause).toBeNull();
    expect(steps.map(({ name }) => name)).toContain("tls");
  });
});

describe.concurrent("answers that are not MCP", () => {
  interface Case {
    readonly id: ConnectionCauseId;
    readonly what: string;
    readonly listener: RequestListener;
    readonly says?: RegExp;
    readonly args?: readonly string[];
    readonly exit?: "credentials";
  }
  const html = { "content-type": "text/html" };
  const json = { "content-type": "application/json" };
  const redirects = [301, 302, 307, 308].map(
    (status): Case => ({
      id: "D28",
      what: `${status} to another path`,
      listener: always(status, { location: "/mcp/" }),
      says: /recourse doctor http:\/\/127\.0\.0\.1:\d+\/mcp\/$/m,
    }),
  );
  const gateways = [502, 503, 504].map(
    (status): Case => ({
      id: "D41",
      what: `${status} of a proxy`,
      listener: always(status, { server: "nginx", ...html }, "<h1>Bad Gateway</h1>"),
      says: /"nginx"/,
    }),
  );
  const CASES: readonly Case[] = [
    ...redirects,
    {
      id: "D28",
      what: "302 to a sign-in page",
      listener: always(302, { location: "https://sso.example/login?next=/mcp" }),
      says: /sign-in page/,
    },
    {
      id: "D29",
      what: "404 of Express everywhere",
      listener: always(404, html, "<pre>Cannot POST /mcp</pre>"),
      says: /Cannot POST.*\/api\/mcp were tried/s,
    },
    { id: "D31", what: "a web page", listener: always(200, html, "<title>Shop admin</title>"), says: /Shop admin/ },
    {
      id: "D59",
      what: "401 with a place to sign in that does not exist",
      listener: always(401, {
        "www-authenticate": 'Bearer resource_metadata="https://recourse.invalid/.well-known/oauth-protected-resource"',
      }),
      exit: "credentials",
      says: /oauth-protected-resource.*cannot be resolved/,
    },
    {
      id: "D32",
      what: "401 without a challenge",
      listener: always(401),
      exit: "credentials",
      says: /no WWW-Authenticate/,
    },
    {
      id: "D32",
      what: "401 to a wrong token",
      args: ["-H", "Authorization: Bearer wrong-token"],
      listener: always(401, { "www-authenticate": "Bearer" }),
      exit: "credentials",
      says: /does not accept the credentials/,
    },
    {
      id: "D33",
      what: "403 for the host",
      listener: always(403, {}, "Access is only allowed at localhost"),
      says: /recourse doctor http:\/\/localhost:\d+\/mcp/,
    },
    {
      id: "D33",
      what: "403 for the origin",
      listener: always(403, json, JSON.stringify({ error: "Origin not allowed" })),
      says: /Origin not allowed/,
    },
    {
      id: "D34",
      what: "403 for a missing token",
      listener: always(403, json, JSON.stringify({ error: "Forbidden" })),
      exit: "credentials",
      says: /some answer 403/,
    },
    { id: "D38", what: "406", listener: always(406, json, "{}") },
    { id: "D38", what: "415", listener: always(415, json, "{}") },
    { id: "D39", what: "400 without a body", listener: always(400) },
    { id: "D41", what: "429 with a wait", listener: always(429, { "retry-after": "30" }), says: /Wait 30 seconds/ },
    ...gateways,
    { id: "D42", what: "202 for a request", listener: always(202), says: /as if it were a notification/ },
    {
      id: "D42",
      what: "a stream without an answer",
      listener: always(200, { "content-type": "text/event-stream" }, ": hello\n\n"),
      says: /ended without an answer/,
    },
    {
      id: "D42",
      what: "a stream that stays open without an answer",
      args: SHORT,
      listener: (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
      says: /did not end within/,
    },
    {
      id: "D42",
      what: "an answer that is cut",
      listener: (_, response) => {
        response.writeHead(200, { ...json, "content-length": "500" }).write('{"jsonrpc":');
        // The head and the beginning are on their way first.
        setTimeout(() => response.destroy(), 50);
      },
      says: /broke in the middle/,
    },
    {
      id: "D44",
      what: "500 with a text",
      listener: always(500, {}, "Something went wrong"),
      says: /Something went wrong/,
    },
    { id: "D44", what: "JSON that is not JSON-RPC", listener: always(200, json, '{"hello":"world"}'), says: /hello/ },
  ];
  test.for(CASES)("$id: $what", async ({ id, listener, says, args = [], exit = "findings" }) => {
    await using server = await listen(overHttp(listener));
    const run = await diagnose([...args, `http://127.0.0.1:${server.port}/mcp`]);
    expect(run.cause?.id).toBe(id);
    expect(run.exit).toBe(exit);
    if (says !== undefined) expect(textsOf(run.cause)).toMatch(says);
  });

  test.for(["/", "/wrong", "/mcp/"])("D29: names the path that speaks MCP, from %s", async (path) => {
    const mcp = sdkV1();
    await using server = await listen(
      overHttp((incoming, response) =>
        incoming.url === "/mcp"
          ? mcp(incoming, response)
          : always(404, html, `Cannot ${incoming.method} ${incoming.url}`)(incoming, response),
      ),
    );
    const { cause } = await diagnose([`http://127.0.0.1:${server.port}${path}`]);
    expect(cause).toMatchObject({ id: "D29", next: `recourse doctor http://127.0.0.1:${server.port}/mcp` });
  });

  test("D31: names the path behind a web page", async () => {
    const mcp = sdkV2();
    await using server = await listen(
      overHttp((incoming, response) =>
        incoming.url === "/api/mcp" ? mcp(incoming, response) : always(200, html, "<html>")(incoming, response),
      ),
    );
    const { cause } = await diagnose([`http://127.0.0.1:${server.port}/`]);
    expect(cause).toMatchObject({ id: "D31", next: `recourse doctor http://127.0.0.1:${server.port}/api/mcp` });
  });

  test.for(["/mcp", "/sse"])("D30: the old SSE transport, asked at %s", async (path) => {
    await using server = await listen(
      overHttp((incoming, response) => {
        if (incoming.method !== "GET" || incoming.url !== "/sse")
          return always(404, html, "Cannot POST")(incoming, response);
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write("event: endpoint\ndata: /messages?id=1\n\n");
      }),
    );
    const { cause } = await diagnose([`http://127.0.0.1:${server.port}${path}`]);
    expect(cause?.id).toBe("D30");
    expect(cause?.fix).toContain(`http://127.0.0.1:${server.port}/sse`);
  });
});

describe("eras", () => {
  test("D35: a server that speaks only the older era is ready", async () => {
    await using server = await listen(overHttp(sdkV1()));
    const { cause, notes, revisions } = await diagnose([`http://127.0.0.1:${server.port}/mcp`]);
    expect(cause).toBeNull();
    expect(notes.map(({ id }) => id)).toEqual(["D35"]);
    expect(revisions).toEqual(["2025-11-25"]);
  });

  test("D36: a server that speaks only the newer era is ready", async () => {
    await using server = await listen(overHttp(sdkV2({ legacy: "reject" })));
    const { cause, notes, revisions } = await diagnose([`http://127.0.0.1:${server.port}/mcp`]);
    expect(cause).toBeNull();
    expect(notes.map(({ id }) => id)).toEqual(["D36"]);
    expect(revisions).toEqual(["2026-07-28"]);
  });
});

describe("proxies in front of a healthy server", () => {
  interface Case {
    readonly id: ConnectionCauseId;
    readonly what: string;
    readonly server: () => RequestListener;
    readonly proxy: Parameters<typeof proxyTo>[1];
    readonly says?: RegExp;
  }
  const without = (pattern: RegExp) => (headers: Record<string, unknown>) => {
    for (const name of Object.keys(headers)) if (pattern.test(name)) delete headers[name];
  };
  const set = (name: string, value: string) => (headers: Record<string, unknown>) => {
    headers[name] = value;
  };
  const CASES: readonly Case[] = [
    { id: "D37", what: "removes the Mcp headers", server: sdkV2, proxy: { onRequest: without(/^mcp-/) } },
    {
      id: "D37",
      what: "removes the session from requests",
      server: sdkV1,
      proxy: { onRequest: without(/^mcp-session-id/) },
      says: /was sent/,
    },
    {
      id: "D37",
      what: "removes the session from answers",
      server: sdkV1,
      proxy: { onAnswer: without(/^mcp-session-id/) },
      says: /did not arrive here/,
    },
    {
      id: "D38",
      what: "rewrites Accept",
      server: sdkV1,
      proxy: { onRequest: set("accept", "*/json") },
    },
    {
      id: "D38",
      what: "rewrites Content-Type",
      server: sdkV1,
      proxy: { onRequest: set("content-type", "text/plain") },
    },
    { id: "D39", what: "eats error bodies, newer era", server: sdkV2, proxy: { eatsErrors: true } },
    { id: "D39", what: "eats error bodies, older era", server: sdkV1, proxy: { eatsErrors: true } },
    { id: "D40", what: "buffers streams, older era", server: sdkV1, proxy: { buffers: true } },
    {
      id: "D40",
      what: "buffers streams, newer era",
      server: () => sdkV2({ legacy: "reject" }),
      proxy: { buffers: true },
    },
  ];
  test.for(CASES)("$id: $what", async ({ id, server, proxy, says }) => {
    await using behind = await listen(overHttp(server()));
    await using front = await listen(overHttp(proxyTo(behind.port, proxy)));
    // A stream that is held back never begins, and the others are not held back.
    const waits = proxy.buffers === true ? { streamMs: 200 } : {};
    const { cause } = await diagnose([`http://127.0.0.1:${front.port}/mcp`], { waits });
    expect(cause?.id).toBe(id);
    if (says !== undefined) expect(textsOf(cause)).toMatch(says);
  });

  test.for([
    ["v1", sdkV1],
    ["v2", sdkV2],
  ] as const)("a proxy that changes nothing hides nothing of SDK %s", async ([, server]) => {
    await using behind = await listen(overHttp(server()));
    await using front = await listen(overHttp(proxyTo(behind.port, {})));
    const { cause } = await diagnose([`http://127.0.0.1:${front.port}/mcp`]);
    expect(cause).toBeNull();
  });
});

/** Reproduced by the set-ups of people, in setups.test.ts. */
const IN_SETUPS = ["D56", "D57", "D58", "D59"];

test("the table has no cause that is neither reproduced here nor said to be impossible here", async () => {
  const { readFile } = await import("node:fs/promises");
  const source = await readFile(new URL(import.meta.url), "utf8");
  expect(Object.keys(HTTP_CAUSES).filter((id) => !source.includes(`"${id}`) && !IN_SETUPS.includes(id))).toEqual([]);
});
