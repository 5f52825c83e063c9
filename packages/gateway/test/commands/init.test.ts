import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { init } from "../../src/commands/init.ts";
import { loadConfig } from "../../src/config/load.ts";
import { testIo } from "./run.ts";

function configIn(folder: string, file = "gateway.yaml") {
  const loaded = loadConfig(readFileSync(join(folder, file), "utf8"), { environment: {}, file: join(folder, file) });
  expect(loaded).toMatchObject({ ok: true, warnings: [] });
  if (!loaded.ok) throw new Error("not loaded");
  return loaded.config;
}

describe("init", () => {
  it("writes a configuration that needs nothing else, and shows a key once whose digest is in the file", async () => {
    const io = testIo();
    expect(await init({}, io)).toEqual({ exit: "ok" });
    const config = configIn(io.cwd);
    expect(config).toMatchObject({
      listen: { host: "127.0.0.1", port: 8080 },
      store: { mode: "memory" },
      authentication: "required",
      upstreams: [{ name: "demo", kind: "stdio", command: ["node", "demo-server.mjs"], cwd: io.cwd }],
    });
    const [, key = ""] = /export GATEWAY_KEY=(\S+)/.exec(io.out()) ?? [];
    expect(key).toMatch(/^rk_[0-9a-f]{8}_[\w-]{43}$/);
    expect(io.out().split(key)).toHaveLength(2);
    expect(config.keys).toMatchObject([{ id: "first", sha256: hash("sha256", key, "hex") }]);
    const [, adminKey = ""] = /export GATEWAY_ADMIN_KEY=(\S+)/.exec(io.out()) ?? [];
    expect(io.out().split(adminKey)).toHaveLength(2);
    expect(config.admin).toEqual({
      listen: { host: "127.0.0.1", port: 8081 },
      keys: [{ id: "operator", role: "admin", sha256: hash("sha256", adminKey, "hex") }],
      console: { url: undefined, secret: undefined, idleMs: 1_800_000, longestMs: 28_800_000 },
    });
    for (const secret of [key, adminKey])
      expect(readFileSync(join(io.cwd, "gateway.yaml"), "utf8")).not.toContain(secret);
    for (const text of [
      "npx @recourse/cli serve",
      "npx @recourse/cli status",
      "in a browser, where you sign in with GATEWAY_ADMIN_KEY:",
      "  http://127.0.0.1:8081/console/\n",
      "curl -s http://127.0.0.1:8080/mcp",
      "demo__find_order",
      "mcpServers",
    ])
      expect(io.out()).toContain(text);
  });

  it.each([
    [{ listen: "127.0.0.1:9000" }, { host: "127.0.0.1", port: 9001 }, "http://127.0.0.1:9001"],
    [{ listen: "0.0.0.0:65535" }, { host: "127.0.0.1", port: 65_534 }, "http://127.0.0.1:65534"],
    [{ listen: "127.0.0.1:0" }, { host: "127.0.0.1", port: 0 }, undefined],
    [{ listen: "[::1]:6999" }, { host: "127.0.0.1", port: 7000 }, "http://127.0.0.1:7000"],
    [{ adminListen: "[::1]:7000" }, { host: "::1", port: 7000 }, "http://[::1]:7000"],
  ])("turns the admin API on at an address of its own, with %j", async (options, listen, adminUrl) => {
    const io = testIo();
    expect(await init({ ...options, json: true }, io)).toEqual({ exit: "ok" });
    const { admin } = configIn(io.cwd);
    const written = JSON.parse(io.out());
    expect(admin?.listen).toEqual(listen);
    expect(admin?.keys).toMatchObject([{ sha256: hash("sha256", written.adminKey, "hex") }]);
    expect(written.adminUrl).toBe(adminUrl);
    expect(written.consoleUrl).toBe(adminUrl === undefined ? undefined : `${adminUrl}/console/`);
    const text = testIo();
    await init(options, text);
    expect(text.out()).toContain(`export GATEWAY_ADMIN_URL=${adminUrl ?? "<the address"}`);
  });

  it("writes a demo server that official clients can use", async () => {
    const io = testIo();
    await init({}, io);
    const client = new Client({ name: "test", version: "1.0.0" });
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(io.cwd, "demo-server.mjs")],
        stderr: "inherit",
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["find_order"]);
    const call = (order: number) => client.callTool({ name: "find_order", arguments: { order } });
    expect(await call(7)).toMatchObject({ content: [{ text: "Order 7: two books, shipped." }] });
    expect(await call(9)).toMatchObject({ content: [{ text: "There is no order 9." }], isError: true });
    expect(await call(8)).toMatchObject({ isError: true });
  });

  it.each([
    [
      { url: "https://shop.example/mcp", name: "shop" },
      { name: "shop", kind: "http", url: "https://shop.example/mcp" },
    ],
    [{ command: 'node "my server.js" -v' }, { name: "server", kind: "stdio", command: ["node", "my server.js", "-v"] }],
    [
      { openapi: "https://crm.example/openapi.json" },
      { kind: "openapi", document: "https://crm.example/openapi.json" },
    ],
  ])("takes the upstream %j", async (options, upstream) => {
    const io = testIo();
    expect(await init({ ...options, listen: "127.0.0.1:9999" }, io)).toEqual({ exit: "ok" });
    expect(configIn(io.cwd)).toMatchObject({ listen: { port: 9999 }, upstreams: [upstream] });
    expect(existsSync(join(io.cwd, "demo-server.mjs"))).toBe(false);
    expect(io.out()).toContain('"method":"tools/list"');
  });

  it.each(["gateway.yaml", "demo-server.mjs"])("does not overwrite %s unless it is forced to", async (name) => {
    const io = testIo();
    writeFileSync(join(io.cwd, name), "mine");
    expect(await init({}, io)).toEqual({
      failure: {
        exit: "usage",
        code: "exists",
        message: `The file ${name} exists already.`,
        fix: "Add --force to overwrite it, or name another file: recourse init <file>",
      },
    });
    expect(readFileSync(join(io.cwd, name), "utf8")).toBe("mine");
    expect(await init({ force: true }, io)).toEqual({ exit: "ok" });
    configIn(io.cwd);
  });

  it.each([
    ["gateway.yaml", false],
    ["gateway.yaml", true],
    ["demo-server.mjs", false],
    ["demo-server.mjs", true],
  ])("writes nothing through the link %s, forced: %s", async (name, force) => {
    const io = testIo();
    const elsewhere = testIo();
    const target = join(elsewhere.cwd, "target");
    symlinkSync(target, join(io.cwd, name));
    const refusal = {
      failure: {
        exit: "usage",
        code: "link",
        message: `The file ${name} is a symbolic link. Nothing is written through it.`,
        fix: "Remove the link, or name another file: recourse init <file>",
      },
    };
    expect(await init({ force }, io)).toEqual(refusal);
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, "mine");
    expect(await init({ force }, io)).toEqual(refusal);
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(readdirSync(io.cwd)).toEqual([name]);
  });

  it("refuses what would not be a configuration, and writes nothing", async () => {
    const io = testIo();
    expect(await init({ url: "shop.example" }, io)).toMatchObject({ failure: { exit: "usage", code: "config" } });
    expect(io.err()).toContain("upstreams.server.url: expected a URL with http or https.");
    expect(existsSync(join(io.cwd, "gateway.yaml"))).toBe(false);
    expect(await init({ url: "http://a", command: "b" }, io)).toMatchObject({ failure: { exit: "usage" } });
  });

  it("gives the same as data", async () => {
    const io = testIo();
    await init({ file: "other.yaml", json: true }, io);
    expect(JSON.parse(io.out())).toMatchObject({
      files: ["other.yaml", "demo-server.mjs"],
      key: expect.stringMatching(/^rk_/),
      url: "http://127.0.0.1:8080/mcp",
    });
    configIn(io.cwd, "other.yaml");
  });
});
