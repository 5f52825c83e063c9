// Every cause on this machine, reproduced by a real program.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM_CAUSES } from "@recourse/explain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose, diagnoseUntil, ENDED_AT_ONCE, SETTLED } from "./run-doctor.ts";
import { always, closedPort, listen, overHttp, overTcp } from "./servers.ts";

const STAND_IN = fileURLToPath(new URL("stand-in.ts", import.meta.url));
const standIn = (name: string, ...args: readonly string[]): string[] => [process.execPath, STAND_IN, name, ...args];
const installed = (path: string): string => fileURLToPath(import.meta.resolve(path));
const onPosix = process.platform !== "win32";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Writes a file into the folder of this test and returns its path. */
async function file(name: string, text: string, mode = 0o644): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

interface Case {
  readonly id: keyof typeof PROGRAM_CAUSES;
  readonly what: string;
  readonly args: () => Promise<readonly string[]> | readonly string[];
  /** What the sentence, the fix or the next command has to say. */
  readonly says?: RegExp;
  readonly posix?: true;
  /** It never answers, and this is the last that it writes to stderr. */
  readonly until?: string;
}

/** What stand-ins say when they have written all that they ever will. */
const LAST = "that was all";
// Long enough for a program to start on a busy machine.
const PATIENT = ["--timeout", "60"];

const CASES: readonly Case[] = [
  {
    id: "D1",
    what: "a command that does not exist",
    args: () => ["recourse-no-such-command", "--flag"],
    says: /recourse-no-such-command/,
  },
  {
    id: "D1",
    what: "a path that does not exist",
    args: () => [join(folder, "bin", "server")],
    says: /no file at this path/,
  },
  {
    id: "D1",
    what: "a whole line as one word",
    args: () => ["node server.js"],
    says: /recourse doctor node server\.js/,
  },
  {
    id: "D1",
    what: "an address without a scheme",
    args: () => ["localhost:3000/mcp"],
    says: /recourse doctor http:\/\/localhost:3000\/mcp/,
  },
  {
    id: "D1",
    what: "a command inside a script",
    posix: true,
    args: () => ["sh", "-c", "recourse-no-such-tool"],
    says: /recourse-no-such-tool/,
  },
  {
    id: "D2",
    what: "a folder that does not exist",
    args: () => ["--cwd", join(folder, "nowhere"), "node"],
    says: /nowhere/,
  },
  {
    id: "D3",
    what: "a file that may not be executed",
    posix: true,
    args: async () => [await file("plain.js", "")],
    says: /recourse doctor node .*plain\.js/,
  },
  {
    id: "D3",
    what: "such a file inside a shell",
    posix: true,
    args: async () => ["sh", "-c", await file("plain.sh", "")],
  },
  {
    id: "D4",
    what: "a PATH without node",
    posix: true,
    args: async () => ["-e", "PATH=/nonexistent", await file("script", "#!/usr/bin/env node\n", 0o755)],
    says: /"node", which is not in PATH/,
  },
  {
    id: "D5",
    what: "a file that does not exist",
    args: () => ["node", join(folder, "missing.js")],
    says: /Build the project/,
  },
  {
    id: "D5",
    what: "a package that is not installed",
    args: async () => ["node", await file("import.mjs", 'import "recourse-not-installed";')],
    says: /npm install/,
  },
  {
    id: "D5",
    what: "an export that a package does not have",
    args: async () => {
      await file("other.mjs", "export {};");
      return ["node", await file("export.mjs", 'import { gone } from "./other.mjs"; gone();')];
    },
  },
  { id: "D6", what: "a missing bindings file", args: () => standIn("bindings"), says: /npm rebuild better-sqlite3/ },
  { id: "D6", what: "a native module that does not load", args: () => standIn("native-module") },
  { id: "D73", what: "a Python that is too old", args: () => standIn("other-python"), says: /uvx/ },
  { id: "D77", what: "a folder that it may not make", args: () => standIn("denied-folder"), says: /may write/ },
  { id: "D7", what: "a missing variable", args: () => standIn("missing-variable"), says: /-e SHOP_API_KEY=/ },
  {
    id: "D7",
    what: "server-filesystem without its folder",
    args: () => ["node", installed("@modelcontextprotocol/server-filesystem/dist/index.js"), join(folder, "nowhere")],
    says: /director/,
  },
  {
    id: "D8",
    what: "a database that is away",
    args: async () => standIn("database-away", String(await closedPort())),
    says: /127\.0\.0\.1:\d+/,
  },
  { id: "D9", what: "a usage text", args: () => standIn("usage-text"), says: /Usage: shop-server/ },
  { id: "D9", what: "node --version", args: () => ["node", "--version"], says: /v\d+\.\d+/ },
  { id: "D10", what: "a banner", args: () => standIn("banner"), says: /Shop server 1\.0 starting.*1 such line/ },
  { id: "D10", what: "a log line after the handshake", args: () => standIn("log-later"), says: /cache is warm/ },
  {
    id: "D11",
    what: "Content-Length",
    args: () => [...PATIENT, ...standIn("content-length")],
    says: /Content-Length/,
    until: LAST,
  },
  {
    id: "D11",
    what: "a byte order mark",
    args: () => [...PATIENT, ...standIn("byte-order-mark")],
    says: /byte order mark/,
    until: LAST,
  },
  {
    id: "D11",
    what: "pretty-printed JSON",
    args: () => [...PATIENT, ...standIn("pretty")],
    says: /several lines/,
    until: LAST,
  },
  {
    id: "D11",
    what: "JSON without a newline",
    args: () => [...PATIENT, ...standIn("no-newline")],
    says: /no newline/,
    until: LAST,
  },
  {
    id: "D12",
    what: "a server in HTTP mode",
    args: () => [...PATIENT, ...standIn("http")],
    says: /recourse doctor http:\/\/127\.0\.0\.1:\d+\/mcp/,
    until: "listening",
  },
  { id: "D13", what: "silence", args: () => ["--timeout", "1.2", ...standIn("silent")], says: /within \d+\.\d s/ },
  { id: "D17", what: "SIGKILL", posix: true, args: () => standIn("killed"), says: /SIGKILL/ },
  { id: "D17", what: "SIGABRT", posix: true, args: () => standIn("aborted") },
  {
    id: "D17",
    what: "a heap that is too small",
    args: () => [process.execPath, "--max-old-space-size=20", STAND_IN, "out-of-memory"],
    says: /ran out of memory/,
  },
  { id: "D18", what: "an error after the handshake", args: () => standIn("ends-later"), says: /the queue is gone/ },
  {
    id: "D20",
    what: "an export that this Node does not have",
    args: async () => ["node", await file("new.mjs", 'import { newInNode99 } from "node:fs"; newInNode99();')],
    says: /newInNode99/,
  },
  { id: "D43", what: "an error in the code", args: () => standIn("code-error"), says: /TypeError/ },
];

describe("a program that fails in one way is diagnosed with that cause", () => {
  test.for(CASES)("$id: $what", async ({ id, args, says, posix, until }, { skip }) => {
    skip(posix === true && !onPosix, "signals, modes and shells of POSIX");
    const given = await args();
    const { cause, exit, ready } =
      until === undefined ? await diagnose(given, { waits: ENDED_AT_ONCE }) : await diagnoseUntil(until, given);
    expect(cause?.id).toBe(id);
    expect(exit).toBe("findings");
    expect(ready).toBe(false);
    if (says !== undefined) expect(Object.values(cause ?? {}).join("\n")).toMatch(says);
  });

  test("D7: says when the shell has the variable and hosts do not hand it on", async () => {
    const { cause } = await diagnose(standIn("missing-variable"), { env: { ...process.env, SHOP_API_KEY: "x" } });
    expect(cause?.fix).toContain("Your shell has SHOP_API_KEY");
  });

  test("D19: a port in use", async () => {
    await using other = await listen(overTcp((socket) => socket.destroy()));
    const { cause } = await diagnose(standIn("port-in-use", String(other.port)));
    expect(cause).toMatchObject({ id: "D19", saw: `Port ${other.port} is already in use.` });
  });

  test("D20: syntax that only a newer Node knows, by the engines of its package", async () => {
    await file("package.json", JSON.stringify({ engines: { node: ">=99.1" } }));
    const { cause } = await diagnose(["node", await file("syntax.js", "const = new syntax;")]);
    await rm(join(folder, "package.json"));
    expect(cause).toMatchObject({ id: "D20", because: "The package asks for Node.js >=99.1." });
  });

  test("D43: the same syntax where no package asks for a newer Node is an error in the code", async () => {
    const { cause } = await diagnose(["node", await file("syntax.js", "const = new syntax;")]);
    expect(cause?.id).toBe("D43");
  });

  test("D14: a slow start is worth a note, and the server is ready", async () => {
    const { cause, notes, exit } = await diagnose(["--timeout", "40", ...standIn("slow")], {
      waits: { ...SETTLED, slowMs: 250 },
    });
    expect(cause).toBeNull();
    expect(notes.map(({ id }) => id)).toContain("D14");
    expect(exit).toBe("ok");
  });
});

describe("real package managers, over loopback", () => {
  // Windows finds npm.cmd by itself.
  const [npm, npx] = ["npm", "npx"];
  /** Nothing of the machine's own settings, and no notices. */
  const settings = (registry: string): string[] =>
    [
      `npm_config_registry=${registry}`,
      `npm_config_cache=${join(folder, "cache")}`,
      "npm_config_update_notifier=false",
      "npm_config_fetch_retries=0",
    ].flatMap((pair) => ["-e", pair]);

  test("D16: a package that the registry does not have", async () => {
    await using registry = await listen(overHttp(always(404, { "content-type": "application/json" }, "{}")));
    const url = `http://127.0.0.1:${registry.port}/`;
    const { cause } = await diagnose([
      ...PATIENT,
      ...settings(url),
      "--cwd",
      folder,
      npx,
      "-y",
      "recourse-no-such-package",
    ]);
    expect(cause?.id).toBe("D16");
    expect(cause?.saw).toContain("recourse-no-such-package");
  });

  test("D15: npx without -y", async () => {
    const packument = {
      name: "shop-mcp",
      "dist-tags": { latest: "1.0.0" },
      versions: {
        "1.0.0": {
          name: "shop-mcp",
          version: "1.0.0",
          bin: "x.js",
          dist: { tarball: "http://127.0.0.1:1/x.tgz", shasum: "0" },
        },
      },
    };
    await using registry = await listen(
      overHttp(always(200, { "content-type": "application/json" }, JSON.stringify(packument))),
    );
    const url = `http://127.0.0.1:${registry.port}/`;
    const { cause } = await diagnose([...PATIENT, ...settings(url), "--cwd", folder, npx, "shop-mcp"]);
    expect(cause).toMatchObject({ id: "D15", next: `recourse doctor ${npx} -y shop-mcp` });
  });

  test("D8: a registry that is away", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/`;
    const { cause } = await diagnose([...PATIENT, ...settings(url), "--cwd", folder, npx, "-y", "shop-mcp"]);
    expect(cause?.id).toBe("D8");
    expect(cause?.saw).toContain("registry");
  });

  test("D10: npm start writes to stdout, and the program itself is named", async () => {
    const project = await mkdtemp(join(folder, "project-"));
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ name: "shop", scripts: { start: `node ${STAND_IN} healthy` } }),
    );
    const { cause } = await diagnose([...PATIENT, "--cwd", project, npm, "start"]);
    expect(cause).toMatchObject({ id: "D10", next: `recourse doctor node ${STAND_IN} healthy` });
  });

  test("D7: npm start without such a script", async () => {
    const project = await mkdtemp(join(folder, "project-"));
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "shop" }));
    const { cause } = await diagnose([...PATIENT, "--cwd", project, npm, "start"]);
    expect(cause?.id).toBe("D7");
    expect(cause?.saw).toMatch(/Missing script/);
  });

  test("D5: npm start in a folder without a project", async () => {
    const empty = await mkdtemp(join(folder, "empty-"));
    const { cause } = await diagnose([...PATIENT, "--cwd", empty, npm, "start"]);
    expect(cause?.id).toBe("D5");
    expect(cause?.because).toContain("no package.json");
  });
});

test("every cause on this machine is reproduced by a run above", () => {
  const covered = new Set<string>([...CASES.map(({ id }) => id), "D14", "D15", "D16", "D19", "D55"]);
  expect(Object.keys(PROGRAM_CAUSES).filter((id) => !covered.has(id))).toEqual([]);
});
