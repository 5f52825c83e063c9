// Configuration files are written by people and by programs: they may hold secrets, be huge, or be made to harm.
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runDoctor, SETTLED } from "./run-doctor.ts";

const STAND_IN = fileURLToPath(new URL("stand-in.ts", import.meta.url));
const NODE = process.execPath;
const SECRET = "sk-live-4f9a8b7c6d5e";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "config-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function doctorOn(name: string, text: string, ...args: readonly string[]) {
  const path = join(folder, name);
  await writeFile(path, text);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  return { path, ...(await runDoctor(["--timeout", "60", path, ...args], { env, cwd: folder, waits: SETTLED })) };
}

test("no output shows a secret: of env, of a header, of an argument, of an address, in JSON and in the correction", async () => {
  const text = JSON.stringify({
    mcpServers: {
      says: { command: NODE, args: [STAND_IN, "tells-secrets"], env: { SHOP_TOKEN: SECRET } },
      line: { command: `${NODE} ${STAND_IN} healthy`, env: { TOKEN: SECRET }, args: ["--api-key", SECRET] },
      remote: {
        url: `http://user:${SECRET}@127.0.0.1:9/mcp?token=${SECRET}`,
        headers: { Authorization: `Bearer ${SECRET}` },
      },
    },
  });
  for (const args of [[], ["--json"], ["--fix"], ["--server", "says", "--verbose"]]) {
    const { stdout, stderr } = await doctorOn("mcp.json", text, ...args);
    expect(stdout.length).toBeGreaterThan(50);
    expect(stdout + stderr).not.toContain(SECRET);
  }
});

test("a secret in a file that is not JSON is not shown either", async () => {
  const text = `{"mcpServers": {"a": {"command": "node", "env": {"TOKEN": ${SECRET}, "API_KEY": "${SECRET}" "B": [}}}}`;
  for (const args of [[], ["--fix"], ["--json"]]) {
    const { stdout, stderr, exit } = await doctorOn("mcp.json", text, ...args);
    expect(exit).toBe("findings");
    expect(stdout + stderr).not.toContain(SECRET);
  }
});

test("a file with very many servers is refused at once", async () => {
  const servers = Array.from({ length: 100_000 }, (_, at) => [`s${at}`, { command: `none-${at}` }]);
  const { stdout, stderr, exit } = await doctorOn(
    "mcp.json",
    JSON.stringify({ mcpServers: Object.fromEntries(servers) }),
  );
  expect(exit).toBe("usage");
  expect(stdout + stderr).toContain("100000 servers");
});

test("names of servers cannot command the terminal", async () => {
  const { stdout } = await doctorOn(
    "mcp.json",
    JSON.stringify({ mcpServers: { "\u001b[2Jx\u202e\n": { command: "" }, __proto__x: {} } }),
  );
  for (const harmful of ["\u001b[2J", "\u202e"]) expect(stdout).not.toContain(harmful);
  expect(stdout).toContain("D49");
});

test.for([
  ["deep", "[".repeat(100_000)],
  ["empty", ""],
  [
    "full of null characters",
    '{"mcpServers": {"a": {"command": "x\\u0000"}, "b": {"command": "x", "env": {"A=\\u0000": "1"}}}}',
  ],
  ["a list", "[]"],
  ["a number", "5"],
  [
    "wrong forms",
    '{"mcpServers": {"a": 5, "b": [], "c": {"command": {}, "args": {}, "env": [], "url": 7}, "d": null}}',
  ],
  [
    "inherited names",
    '{"mcpServers": {"constructor": {"command": "recourse-none", "toString": 1}, "__proto__": {"url": "x"}}}',
  ],
] as const)("a file that is %s ends with a verdict", async ([, text]) => {
  const { exit, stdout, stderr } = await doctorOn("mcp.json", text);
  expect(["ok", "findings"]).toContain(exit);
  expect(stdout + stderr).not.toContain("bug in recourse");
});

test("--write corrects the file, keeps comments and the old file, and refuses links", async () => {
  const text = `{\n  // mine\n  "mcpServers": { "a": { "command": ${JSON.stringify(`${NODE} ${STAND_IN} healthy`)} }, },\n}\n`;
  const { path, stdout, exit } = await doctorOn("other.json", text, "--fix", "--write");
  expect(exit).toBe("findings");
  expect(stdout).toContain("Written.");
  const after = await readFile(path, "utf8");
  expect(after).toContain("// mine");
  expect(after).toContain(`"command": ${JSON.stringify(NODE)}, "args": [${JSON.stringify(STAND_IN)}, "healthy"]`);
  expect(await readFile(`${path}.backup`, "utf8")).toBe(text);
  const again = await runDoctor(["--timeout", "60", path], { env: { HOME: folder }, cwd: folder, waits: SETTLED });
  expect(again.exit).toBe("ok");

  await writeFile(path, text);
  await symlink(path, join(folder, "link.json"));
  const link = await runDoctor(["--fix", "--write", join(folder, "link.json")], { env: { HOME: folder }, cwd: folder });
  expect(link.stdout).toContain("Nothing was written.");
  expect(await readFile(path, "utf8")).toBe(text);
});

test("a value of -e reaches only the server that was named", async () => {
  const text = JSON.stringify({ mcpServers: { a: { command: NODE, args: [STAND_IN, "missing-variable"] } } });
  const all = await doctorOn("mcp.json", text, "-e", `SHOP_TOKEN=${SECRET}`, "--json");
  expect(all.stdout).toContain('"D7"');
  const wrong = await doctorOn("mcp.json", text, "--server", "b");
  expect(wrong).toMatchObject({ exit: "usage" });
  expect(wrong.stderr).toContain("The file has a.");
});

test("TOML is not read, and that is said", async () => {
  const { exit, stderr } = await doctorOn("config.toml", "[mcp_servers.a]");
  expect(exit).toBe("usage");
  expect(stderr).toMatch(/TOML, which doctor does not read/);
});

test("--host finds the file, and without arguments the files are listed", async () => {
  const home = await mkdtemp(join(folder, "home-"));
  await writeFile(
    join(home, ".claude.json"),
    JSON.stringify({ mcpServers: { a: { command: NODE, args: [STAND_IN, "healthy"] } } }),
  );
  const options = { env: { HOME: home, PATH: "" }, cwd: home, platform: "darwin", waits: SETTLED };
  const found = await runDoctor(["--timeout", "60", "--host", "claude-code"], options);
  expect(found).toMatchObject({ exit: "ok" });
  expect(found.stdout).toContain("ready: stand-in");
  expect((await runDoctor([], options)).stdout).toMatch(
    /Claude Code\s+1 server[\s\S]*recourse doctor --host claude-code/,
  );
  expect(await runDoctor(["--host", "zed"], options)).toMatchObject({ exit: "usage" });
});

test("on Windows npx needs cmd /c, by the platform that is given", async () => {
  const path = join(folder, "claude_desktop_config.json");
  await writeFile(
    path,
    JSON.stringify({
      mcpServers: { a: { command: "npx", args: ["-y", "recourse-no-such-package"], disabled: false } },
    }),
  );
  const env = { USERPROFILE: folder, PATH: "" };
  const { stdout } = await runDoctor(["--json", path], { env, cwd: folder, platform: "win32" });
  expect(stdout).toContain("D54");
  expect(stdout).toContain("/c");
});
