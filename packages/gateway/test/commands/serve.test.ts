import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../../src/commands/serve.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { type TestIo, testIo } from "./run.ts";

/** A file for one upstream, with a silent log. */
function fileFor(url: URL, more = ""): string {
  return `listen: 127.0.0.1:0
store: memory
authentication: none
telemetry: { log: silent }
upstreams:
  up: { url: "${url}" }
${more}`;
}

function write(io: TestIo, text: string): void {
  writeFileSync(join(io.cwd, "gateway.yaml"), text);
}

/** Runs the gateway of a file until the test ends. */
async function start(text: string, { watch = false, io = testIo() } = {}) {
  write(io, text);
  const ended = serve({ watch }, io);
  onTestFinished(async () => {
    io.stop();
    await ended;
  });
  await vi.waitFor(() => expect(io.out()).toContain("\n"), { timeout: 20_000 });
  const [, url = ""] = /^Listening on (\S+), store: memory/.exec(io.out()) ?? [];
  return { io, ended, url: new URL(url) };
}

async function toolsAt(url: URL): Promise<readonly string[]> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${MODERN_META}}}}`;
  const { result } = (await post(url, body, modernHeaders("tools/list"))).json();
  return (result as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
}

describe("serve", () => {
  it("says where it listens and which store it has, serves, and ends with 0 when it is asked to", async () => {
    const { url } = await startStubUpstream();
    const gateway = await start(fileFor(url));
    expect(gateway.io.out()).toBe(
      `Listening on ${gateway.url.href}, store: memory (this process only; limits, idempotency keys and sessions are lost when it stops)\n`,
    );
    expect(await toolsAt(gateway.url)).toEqual(["up__echo"]);
    gateway.io.stop();
    expect(await gateway.ended).toEqual({ exit: "ok" });
    await expect(toolsAt(gateway.url)).rejects.toThrow();
  });

  it.each(["hangup", "watch"] as const)(
    "reads the file again by %s, and keeps the old one while the new one is wrong",
    async (by) => {
      const { url } = await startStubUpstream();
      const gateway = await start(fileFor(url), { watch: by === "watch" });
      const change = (text: string) => {
        write(gateway.io, text);
        if (by === "hangup") gateway.io.hangUp();
      };
      change(fileFor(url, "tools: { up__echo: { hidden: true } }\n"));
      await vi.waitFor(async () => expect(await toolsAt(gateway.url)).toEqual([]), { timeout: 20_000, interval: 50 });
      change("store: nowhere\n");
      change(fileFor(url, "tools: { up__echo: { hiden: true } }\n"));
      change(fileFor(url, 'name: other\ntools: { "up__other": { hidden: true } }\n'));
      await vi.waitFor(async () => expect(await toolsAt(gateway.url)).toEqual(["up__echo"]), {
        timeout: 20_000,
        interval: 50,
      });
    },
  );

  it("refuses a file with problems, and lists all of them", async () => {
    const io = testIo();
    write(io, "store: memory\nauthentication: none\nupstreams: { up: { url: here } }\nlimits: { kye: 1/s }\n");
    expect(await serve({}, io)).toEqual({
      failure: {
        exit: "usage",
        code: "config",
        message: "gateway.yaml has 2 problems.",
        fix: "Correct them, then: recourse serve --check gateway.yaml",
      },
    });
    expect(io.err()).toBe(
      "gateway.yaml:3:25 upstreams.up.url: expected a URL with http or https.\ngateway.yaml:4:11 limits.kye: there is no such option. Did you mean key?\n",
    );
  });

  it("says how to begin where there is no file", async () => {
    expect(await serve({}, testIo())).toMatchObject({
      failure: { exit: "usage", code: "config", message: "There is no file gateway.yaml.", fix: "recourse init" },
    });
  });

  it("says that an address is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await vi.waitFor(() => expect(other.listening).toBe(true));
    const { port } = other.address() as AddressInfo;
    const io = testIo();
    write(io, fileFor(new URL("http://127.0.0.1:1/mcp")).replace("127.0.0.1:0", `127.0.0.1:${port}`));
    expect(await serve({}, io)).toMatchObject({
      failure: { exit: "unreachable", code: "listen", message: `127.0.0.1:${port} is already in use.` },
    });
  });

  it("says where operators find their API, and when its address is in use", async () => {
    const { url } = await startStubUpstream();
    const admin = (port: number) =>
      `${fileFor(url)}\nadmin: { listen: "127.0.0.1:${port}", keys: [{ id: ann, sha256: "${"a".repeat(64)}" }] }\n`;
    const { io } = await start(admin(0));
    await vi.waitFor(() => expect(io.out()).toMatch(/^The API for operators is at (\S+)$/m));
    const port = Number(/operators is at http:\/\/127\.0\.0\.1:(\d+)\/admin\/v1/.exec(io.out())?.[1]);
    const second = testIo();
    write(second, admin(port));
    expect(await serve({}, second)).toMatchObject({
      failure: {
        message: `127.0.0.1:${port} is already in use.`,
        fix: "Write another address as admin.listen in the file.",
      },
    });
  });

  it("says where health and metrics are, and when their address is in use", async () => {
    const { url } = await startStubUpstream();
    const telemetry = (port: number) =>
      fileFor(url).replace("log: silent", `log: silent, public: false, listen: "127.0.0.1:${port}"`);
    const { io, url: own } = await start(telemetry(0));
    const [, pages = ""] = /^Health and metrics are at (\S+)$/m.exec(io.out()) ?? [];
    expect((await fetch(new URL("/health", pages))).status).toBe(200);
    expect((await fetch(new URL("/health", own))).status).toBe(404);
    const second = testIo();
    write(second, telemetry(Number(new URL(pages).port)));
    expect(await serve({}, second)).toMatchObject({
      failure: {
        message: `${new URL(pages).host} is already in use.`,
        fix: "Write another address as telemetry.listen in the file.",
      },
    });
  });

  it.each(["hangup", "watch"] as const)("takes over a value from a file that changed, by %s", async (way) => {
    const stub = await startStubUpstream();
    const io = testIo();
    writeFileSync(join(io.cwd, "token"), "first-token\n");
    const withToken = `{ url: "${stub.url}", credential: { bearer: "\${file:token}" } }`;
    const { url } = await start(fileFor(stub.url).replace(`{ url: "${stub.url}" }`, withToken), {
      io,
      watch: way === "watch",
    });
    const sentToken = async () => {
      await callEcho(url);
      return stub.received.at(-1)?.headers.authorization;
    };
    await vi.waitFor(async () => expect(await sentToken()).toBe("Bearer first-token"), { timeout: 20_000 });
    writeFileSync(join(io.cwd, "token"), "second-token\n");
    if (way === "hangup") io.hangUp();
    await vi.waitFor(async () => expect(await sentToken()).toBe("Bearer second-token"), { timeout: 20_000 });
    expect(io.out() + io.err()).not.toContain("second-token");
  });

  it.each([{ check: false }, { check: true }])("says that a store is away, with %j", async (options) => {
    const { url } = await startStubUpstream();
    const io = testIo();
    const store = 'store: { redis: "redis://127.0.0.1:1", postgres: "postgres://u:secret-word@127.0.0.1:1/d" }';
    write(io, fileFor(url).replace("store: memory", store));
    const outcome = await serve(options, io);
    expect(outcome).toMatchObject({
      failure: { exit: "unreachable", code: "store", message: expect.stringContaining("nothing listens there") },
    });
    expect(`${io.out()}${io.err()}${JSON.stringify(outcome)}`).not.toContain("secret-word");
  });
});

describe("serve --check", () => {
  it("lists what every upstream offers, and ends", async () => {
    const { url } = await startStubUpstream();
    const io = testIo();
    write(io, fileFor(url));
    expect(await serve({ check: true }, io)).toEqual({ exit: "ok" });
    expect(io.out()).toBe("gateway.yaml: store memory, 0 keys in the file\n  up  1 tool, MCP 2026-07-28\n");
  });

  it("finds an upstream that cannot be reached, and one that asks for credentials", async () => {
    const locked = createServer((_, response) => {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void locked.close());
    await vi.waitFor(() => expect(locked.listening).toBe(true));
    const lockedUrl = new URL(`http://127.0.0.1:${(locked.address() as AddressInfo).port}/mcp`);
    const io = testIo();
    write(io, fileFor(lockedUrl));
    expect(await serve({ check: true }, io)).toMatchObject({
      failure: {
        exit: "credentials",
        code: "credentials",
        message: "Upstreams do not accept the credential of the gateway: up.",
      },
    });
    expect(io.out()).toContain("  up  does not accept the gateway: HTTP status 401 to the first message\n");
    write(io, fileFor(lockedUrl).replace("upstreams:", 'upstreams:\n  gone: { url: "http://127.0.0.1:1/mcp" }'));
    expect(await serve({ check: true }, io)).toMatchObject({
      failure: { exit: "unreachable", code: "upstream", message: "Not every upstream can be used: gone." },
    });
    expect(io.out()).toMatch(/^ {2}gone {2}cannot be used: .*ECONNREFUSED/m);
  });

  it("says that an upstream does not answer", async () => {
    const silent = createTcpServer(() => {}).listen(0, "127.0.0.1");
    await vi.waitFor(() => expect(silent.listening).toBe(true));
    const io = testIo();
    write(io, fileFor(new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`)));
    expect(await serve({ check: true }, io)).toMatchObject({ failure: { exit: "unreachable" } });
    silent.close();
    expect(io.out()).toMatch(/^ {2}up {2}cannot be used: \w.* (?:answer|time|reached)/m);
    expect(io.out()).not.toContain("undefined");
  });

  it("finds what two upstreams list", async () => {
    const [one, two] = [await startStubUpstream(), await startStubUpstream()];
    const io = testIo();
    write(
      io,
      fileFor(one.url, `  other: { url: "${two.url}", prefix: "up_" }\n`).replace("{ url", '{ prefix: "up_", url'),
    );
    // The same prefix is refused by the file itself.
    expect(await serve({ check: true }, io)).toMatchObject({ failure: { exit: "usage" } });
    expect(io.err()).toContain("the upstream up has the same prefix");
  });

  it("gives the same as data", async () => {
    const { url } = await startStubUpstream();
    const io = testIo();
    write(io, fileFor(url));
    await serve({ check: true, json: true }, io);
    expect(JSON.parse(io.out())).toEqual({
      ok: true,
      problems: [],
      warnings: [],
      store: "memory",
      upstreams: [{ upstream: "up", era: "2026-07-28", tools: 1, shadowed: [], asksForCredentials: false }],
    });
  });

  it("gives problems of the file as data", async () => {
    const io = testIo();
    write(io, "store: memory\n");
    expect(await serve({ check: true, json: true }, io)).toMatchObject({ failure: { code: "config" } });
    expect(JSON.parse(io.out())).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/^gateway\.yaml:1:1 /), expect.any(String)],
    });
    expect(io.err()).toBe("");
  });
});
