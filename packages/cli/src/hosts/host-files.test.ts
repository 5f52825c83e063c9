import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findHostFiles, HOST_IDS, HOSTS, hostFilePlaces, recognizeFile } from "./host-files.ts";

const folder = mkdtempSync(join(tmpdir(), "hosts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MACHINES = {
  darwin: { platform: "darwin", env: { HOME: "/Users/me" }, cwd: "/Users/me/code/shop" },
  linux: { platform: "linux", env: { HOME: "/home/me" }, cwd: "/home/me/code/shop" },
  win32: {
    platform: "win32",
    env: { USERPROFILE: "C:\\Users\\me", APPDATA: "C:\\Users\\me\\AppData\\Roaming" },
    cwd: "C:\\Users\\me\\code\\shop",
  },
} as const;

test.for([
  ["darwin", "claude", "/Users/me/Library/Application Support/Claude/claude_desktop_config.json"],
  ["win32", "claude", "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"],
  ["linux", "claude", "/home/me/.config/Claude/claude_desktop_config.json"],
  ["darwin", "vscode", "/Users/me/Library/Application Support/Code/User/mcp.json"],
  ["win32", "vscode", "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json"],
  ["linux", "vscode", "/home/me/code/shop/.vscode/mcp.json"],
  ["linux", "vscode", "/home/me/code/.vscode/mcp.json"],
  ["darwin", "cursor", "/Users/me/.cursor/mcp.json"],
  ["win32", "cursor", "C:\\Users\\me\\code\\shop\\.cursor\\mcp.json"],
  ["win32", "windsurf", "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json"],
  ["win32", "zed", "C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json"],
  ["darwin", "zed", "/Users/me/.config/zed/settings.json"],
  ["linux", "gemini", "/home/me/.gemini/settings.json"],
  ["linux", "claude-code", "/home/me/.claude.json"],
] as const)("on %s a file of %s is looked for at %s", ([platform, host, path]) => {
  expect(hostFilePlaces(MACHINES[platform], [host]).map((file) => file.path)).toContain(path);
});

test("the home folder is not a project, and no folder above it is one", () => {
  const paths = hostFilePlaces(MACHINES.linux, ["claude-code"]).map(({ path }) => path);
  expect(paths).toEqual(["/home/me/code/shop/.mcp.json", "/home/me/code/.mcp.json", "/home/me/.claude.json"]);
});

test("every host has a place on every system, and a file there is recognised as its own", () => {
  for (const machine of Object.values(MACHINES))
    for (const host of HOST_IDS) {
      const places = hostFilePlaces(machine, [host]);
      expect(places.length, `${host} on ${machine.platform}`).toBeGreaterThan(0);
      for (const place of places) expect(recognizeFile(place.path)).toMatchObject({ host, keys: place.keys });
    }
});

test("a copy is recognised by its name, an unknown file is not, and --host decides", () => {
  expect(recognizeFile("/tmp/claude_desktop_config (1).json").host).toBe("claude");
  expect(recognizeFile("/tmp/cline_mcp_settings.json").host).toBe("cline");
  expect(recognizeFile("/tmp/settings.json").host).toBe("other");
  expect(recognizeFile("/tmp/settings.json", "zed")).toMatchObject({ host: "zed", keys: [HOSTS.zed.key] });
  expect(recognizeFile("/code/shop/.vscode/mcp.json").project).toBe("/code/shop");
});

test("of the files of a project only the nearest counts", () => {
  const machine = { platform: "linux", env: { HOME: join(folder, "home") }, cwd: join(folder, "a", "b") };
  for (const path of ["a/.mcp.json", "a/b/.mcp.json", "home/.claude.json", "home/.cursor/mcp.json"]) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "{}");
  }
  expect(findHostFiles(machine).map(({ path }) => path)).toEqual(
    ["a/b/.mcp.json", "home/.claude.json", "home/.cursor/mcp.json"].map((path) => join(folder, path)),
  );
});
