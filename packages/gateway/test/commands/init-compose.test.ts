import { hash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMPOSE_TEMPLATES } from "../../src/commands/compose-folder.ts";
import { init } from "../../src/commands/init.ts";
import { loadConfig } from "../../src/config/load.ts";
import { testIo } from "./run.ts";

const DEPLOY = join(import.meta.dirname, "../../../../deploy");

const mode = (path: string) => statSync(path).mode & 0o777;
const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

/** The variables of .env. */
function variablesIn(folder: string): Record<string, string> {
  const lines = read(folder, ".env").split("\n");
  return Object.fromEntries(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  );
}

/** The configuration as the gateway in the container reads it. */
function configIn(folder: string) {
  const text = read(folder, "config/gateway.yaml").replaceAll("/run/secrets/", join(folder, "secrets/"));
  const loaded = loadConfig(text, { environment: variablesIn(folder), file: join(folder, "config/gateway.yaml") });
  expect(loaded).toMatchObject({ ok: true, warnings: [] });
  if (!loaded.ok) throw new Error("not loaded");
  return loaded.config;
}

describe("init --compose", () => {
  it("writes the files of deploy/, unchanged with the demo server", async () => {
    const io = testIo();
    expect(await init({ compose: true }, io)).toEqual({ exit: "ok" });
    for (const [path, source] of Object.entries(COMPOSE_TEMPLATES))
      expect(read(io.cwd, path), path).toBe(read(DEPLOY, source));
    const templates = Object.values(COMPOSE_TEMPLATES);
    const inRepository = [
      ...globSync("compose/**/*", { cwd: DEPLOY, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name).slice(DEPLOY.length + 1)),
    ];
    expect(templates).toEqual(expect.arrayContaining(inRepository));
    expect(existsSync(join(io.cwd, "config/demo-server.mjs"))).toBe(true);
    expect(read(io.cwd, ".gitignore")).toBe("/.env\n/secrets/\n");
  });

  it("writes a configuration with stores, one key for callers and one for the operator", async () => {
    const io = testIo();
    await init({ compose: true }, io);
    const [, key = ""] = /export GATEWAY_KEY=(\S+)/.exec(io.out()) ?? [];
    const [, adminKey = ""] = /export GATEWAY_ADMIN_KEY=(\S+)/.exec(io.out()) ?? [];
    expect(configIn(io.cwd)).toMatchObject({
      listen: { host: "0.0.0.0", port: 8080 },
      store: { mode: "shared" },
      keys: [{ id: "first", sha256: hash("sha256", key, "hex") }],
      admin: {
        listen: { host: "0.0.0.0", port: 8081 },
        console: { url: "http://127.0.0.1:8081/console" },
        keys: [{ id: "operator", role: "admin", sha256: hash("sha256", adminKey, "hex") }],
      },
      upstreams: [{ name: "demo", kind: "stdio", command: ["/nodejs/bin/node", "demo-server.mjs"] }],
    });
    for (const path of [...Object.keys(COMPOSE_TEMPLATES), ".env"])
      for (const secret of [key, adminKey]) expect(read(io.cwd, path)).not.toContain(secret);
    for (const line of [
      "\n  docker compose up -d\n",
      "\n  http://127.0.0.1:8081/console/\n",
      "\n  npx @recourse/cli status\n",
      "  curl -s http://127.0.0.1:8080/mcp ",
    ])
      expect(io.out()).toContain(line);
    expect(io.err()).toBe("");
  });

  it("keeps passwords from other users of the machine, and lets services read what they need", async () => {
    const before = process.umask(0o077);
    const io = testIo();
    try {
      await init({ compose: true }, io);
    } finally {
      process.umask(before);
    }
    expect(mode(join(io.cwd, "secrets"))).toBe(0o700);
    expect(mode(join(io.cwd, ".env"))).toBe(0o600);
    expect(mode(join(io.cwd, "config"))).toBe(0o755);
    for (const path of ["config/gateway.yaml", "services/nginx.conf", "secrets/postgres_password"])
      expect(mode(join(io.cwd, path)), path).toBe(0o644);
    const secrets = globSync("secrets/*", { cwd: io.cwd }).map((path) => read(io.cwd, path));
    expect(secrets).toHaveLength(5);
    expect(new Set(secrets).size).toBe(5);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(io.out()).not.toContain(secret);
    }
    const used = [...read(io.cwd, "compose.yaml").matchAll(/file: \.\/(secrets\/\w+)/g)].map(([, path]) => path);
    expect(used.toSorted()).toEqual(globSync("secrets/*", { cwd: io.cwd }).toSorted());
  });

  it("publishes the addresses of the options", async () => {
    const io = testIo();
    await init({ compose: true, listen: "0.0.0.0:9000", adminListen: "[::1]:9005", file: "gateway", json: true }, io);
    const folder = join(io.cwd, "gateway");
    expect(variablesIn(folder)).toMatchObject({
      RECOURSE_LISTEN: "0.0.0.0:9000",
      RECOURSE_ADMIN_LISTEN: "[::1]:9005",
      CONSOLE_URL: "http://[::1]:9005",
    });
    expect(configIn(folder).admin?.console?.url).toBe("http://[::1]:9005/console");
    expect(read(folder, "services/rules.yaml")).toContain("console: http://[::1]:9005/console\n");
    expect(JSON.parse(io.out())).toMatchObject({
      url: "http://127.0.0.1:9000/mcp",
      adminUrl: "http://[::1]:9005",
      consoleUrl: "http://[::1]:9005/console/",
    });
    expect(io.err()).toContain("Add the names by which callers reach this machine to hosts in config/gateway.yaml.");
  });

  it.each([
    [
      { url: "https://shop.example/mcp", name: "shop" },
      { name: "shop", kind: "http", url: "https://shop.example/mcp" },
      "",
    ],
    [
      { url: "http://host.docker.internal:3000/mcp" },
      { name: "server", kind: "http", url: "http://host.docker.internal:3000/mcp" },
      "",
    ],
    [
      { command: "node server.js -v" },
      { kind: "stdio", command: ["/nodejs/bin/node", "server.js", "-v"] },
      "The program runs in the image of the gateway, which has Node and no other programs. Put its files into config/.\n",
    ],
    [
      { openapi: "https://crm.example/openapi.json" },
      { kind: "openapi", document: "https://crm.example/openapi.json" },
      "",
    ],
  ])("takes the upstream %j", async (options, upstream, remark) => {
    const io = testIo();
    expect(await init({ ...options, compose: true }, io)).toEqual({ exit: "ok" });
    expect(configIn(io.cwd)).toMatchObject({ upstreams: [upstream] });
    expect(existsSync(join(io.cwd, "config/demo-server.mjs"))).toBe(false);
    expect(io.err()).toBe(remark);
  });

  it("copies an OpenAPI document to where the container sees it", async () => {
    const io = testIo();
    mkdirSync(join(io.cwd, "api"));
    writeFileSync(join(io.cwd, "api/crm.yaml"), "openapi: 3.1.0\n");
    expect(await init({ compose: true, openapi: "api/crm.yaml", name: "crm" }, io)).toEqual({ exit: "ok" });
    expect(read(io.cwd, "config/crm.yaml")).toBe("openapi: 3.1.0\n");
    expect(configIn(io.cwd).upstreams).toMatchObject([{ kind: "openapi", document: join(io.cwd, "config/crm.yaml") }]);
  });

  it.each([
    [{ url: "http://localhost:3000/mcp" }, "In a container, localhost is the container itself."],
    [{ url: "http://[::1]:3000/mcp" }, "In a container, [::1] is the container itself."],
    [{ openapi: "http://127.0.0.1:3000/openapi.json" }, "In a container, 127.0.0.1 is the container itself."],
    [{ openapi: "missing.yaml" }, "The file missing.yaml cannot be read."],
    [{ listen: "127.0.0.1:0" }, "With --compose, --listen and --admin-listen need a port."],
    [{ url: "shop.example" }, "config/gateway.yaml has one problem."],
  ])("refuses %j, and writes nothing", async (options, message) => {
    const io = testIo();
    expect(await init({ ...options, compose: true }, io)).toMatchObject({ failure: { exit: "usage", message } });
    expect(globSync("**/*", { cwd: io.cwd })).toEqual([]);
  });

  it("overwrites nothing unless it is forced to, and then keeps the passwords", async () => {
    const io = testIo();
    await init({ compose: true }, io);
    writeFileSync(join(io.cwd, "compose.yaml"), "mine");
    rmSync(join(io.cwd, "secrets/grafana_password"));
    const password = read(io.cwd, "secrets/postgres_password");
    expect(await init({ compose: true }, io)).toEqual({
      failure: {
        exit: "usage",
        code: "exists",
        message: "The file compose.yaml exists already.",
        fix: "Add --force to overwrite it, or name another folder: recourse init --compose <folder>",
      },
    });
    expect(read(io.cwd, "compose.yaml")).toBe("mine");
    expect(await init({ compose: true, force: true }, io)).toEqual({ exit: "ok" });
    expect(read(io.cwd, "compose.yaml")).toContain("services:");
    expect(read(io.cwd, "secrets/postgres_password")).toBe(password);
    expect(read(io.cwd, "secrets/grafana_password")).toMatch(/^[\w-]{43}$/);
    configIn(io.cwd);
  });

  it("takes no file for a folder, and no folder for a file", async () => {
    const io = testIo();
    writeFileSync(join(io.cwd, "gateway.yaml"), "mine");
    const message = "With --compose, name a folder: gateway.yaml is a file.";
    expect(await init({ compose: true, file: "gateway.yaml" }, io)).toMatchObject({ failure: { message } });
    mkdirSync(join(io.cwd, "compose.yaml"));
    expect(await init({ compose: true, force: true }, io)).toMatchObject({
      failure: { message: "compose.yaml is a folder." },
    });
    expect(existsSync(join(io.cwd, "secrets"))).toBe(false);
  });

  it("names a folder as a shell takes it, and says that variables are needed in the container", async () => {
    const io = testIo({ SHOP: "shop.example" });
    await init({ compose: true, file: "my gateway", url: `https://\${SHOP}/mcp` }, io);
    expect(io.out()).toContain("\n  cd 'my gateway' && docker compose up -d\n");
    expect(io.err()).toBe(
      "The gateway needs the variables of the upstream: add them to its environment in compose.yaml.\n",
    );
  });

  it.each(["secrets", "config", "services", ".env"])("writes nothing through the link %s", async (name) => {
    const io = testIo();
    const elsewhere = testIo();
    symlinkSync(join(elsewhere.cwd), join(io.cwd, name));
    expect(await init({ compose: true, force: true }, io)).toMatchObject({ failure: { code: "link" } });
    expect(globSync("**/*", { cwd: elsewhere.cwd })).toEqual([]);
    expect(existsSync(join(io.cwd, "compose.yaml"))).toBe(false);
  });
});
