import { hash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../program/run.ts";
import { COMMANDS } from "./index.ts";

async function recourse(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), "recourse-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const out: string[] = [];
  const err: string[] = [];
  const exit = await runProgram(COMMANDS, args, {
    stdin: (async function* () {})(),
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: {},
    cwd,
    now: Date.now,
    signal: new AbortController().signal,
  });
  return { exit, out: out.join(""), err: err.join(""), cwd };
}

describe("the commands of the gateway", () => {
  it.each([
    ["serve", "--watch"],
    ["init", "--openapi <file or url>"],
    ["keys", "--entitlements <names>"],
  ])("%s has a help", async (name, option) => {
    const { exit, out } = await recourse([name, "--help"]);
    expect(exit).toBe("ok");
    expect(out).toContain(`Usage: recourse ${name}`);
    expect(out).toContain(option);
  });

  it.each([
    [["serve", "a.yaml", "b.yaml"], "serve takes one file."],
    [["init", "a.yaml", "b.yaml"], "init takes one file."],
    [["keys"], "Say what to do: add, list, revoke."],
    [["keys", "drop"], "Say what to do: add, list, revoke."],
    [["keys", "add"], "Name the new key."],
    [["keys", "revoke"], "Name the key by its id or prefix."],
    [["keys", "add", "ci", "--expires", "soon"], "--expires is a duration such as 30m or 24h."],
    [["keys", "add", "ci", "--dialect", "soap"], "needs one of mcp, closient"],
    [["serve"], "There is no file gateway.yaml."],
  ])("refuses %j with 2", async (args, message) => {
    const { exit, err } = await recourse(args);
    expect(exit).toBe("usage");
    expect(err.replaceAll(/\s+/g, " ")).toContain(message);
  });

  it("writes a failure as one line of JSON", async () => {
    const { exit, out, err } = await recourse(["serve", "--json"]);
    expect({ exit, out }).toEqual({ exit: "usage", out: "" });
    expect(JSON.parse(err)).toEqual({
      error: { code: "config", message: "There is no file gateway.yaml.", fix: "recourse init" },
    });
  });

  it("names each problem of a file with its place", async () => {
    const { exit, err } = await recourse(["serve", "--check", "my.yaml"], {
      "my.yaml": "store: memory\nlisten: here\n",
    });
    expect(exit).toBe("usage");
    expect(err).toContain("my.yaml:2:9 listen: expected a port, or host:port.\n");
    expect(err).toContain("recourse serve --check my.yaml");
  });

  it("writes a first configuration", async () => {
    const { exit, out, cwd } = await recourse(["init", "--listen", "127.0.0.1:9090"]);
    expect(exit).toBe("ok");
    expect(out).toContain("Wrote gateway.yaml and demo-server.mjs.");
    expect(out).toContain("http://127.0.0.1:9090/mcp");
    expect(existsSync(join(cwd, "gateway.yaml"))).toBe(true);
  });

  it("makes a key for a file in memory mode, also while the rest of the file is not finished", async () => {
    const files = { "gateway.yaml": `store: memory\nupstreams: { a: { url: "\${NOT_SET}" } }\n` };
    const { exit, out } = await recourse(
      ["keys", "add", "ci", "--tenant", "acme", "--tools", "a__x,a__y", "--scopes", "read"],
      files,
    );
    expect(exit).toBe("ok");
    const [key = "", line = ""] = out.split("\n");
    expect(key).toMatch(/^rk_[0-9a-f]{8}_[\w-]{43}$/);
    expect(line).toMatch(
      /^ {2}- \{ id: "ci", tenant: "acme", sha256: "[0-9a-f]{64}", tools: \["a__x","a__y"\], scopes: \["read"\] \}$/,
    );
  });

  it("makes the key of an operator with the line for the file, or with all of `admin` if the file has none", async () => {
    const file = `store: memory\nauthentication: none\nupstreams: { a: { url: "http://127.0.0.1:1/mcp" } }\n`;
    const first = await recourse(["keys", "add", "ann", "--operator", "--role", "approver"], { "gateway.yaml": file });
    expect(first.exit).toBe("ok");
    const [key = "", ...block] = first.out.trimEnd().split("\n");
    const line = `    - { id: "ann", role: approver, sha256: "${hash("sha256", key, "hex")}" }`;
    expect(block).toEqual(["admin:", "  keys:", line]);
    const turnedOn = { "gateway.yaml": `${file}${block.join("\n")}\n` };
    const second = await recourse(["keys", "add", "bob", "--operator", "--json"], turnedOn);
    expect(JSON.parse(second.out)).toMatchObject({
      id: "bob",
      role: "viewer",
      line: expect.stringContaining("viewer"),
    });
    expect(await recourse(["keys", "add", "ann", "--operator"], turnedOn)).toMatchObject({ exit: "usage", out: "" });
    expect((await recourse(["keys", "add", "bob", "--operator"], {})).out).toMatch(
      /\n {4}- \{ id: "bob", role: viewer/,
    );
  });

  it.each([
    ["add", "bob", "--role", "admin"],
    ["add", "bob", "--operator", "--tenant", "acme"],
    ["add", "bob", "--operator", "--expires", "24h"],
    ["add", "b ob", "--operator"],
    ["add", "--operator"],
    ["list", "--operator"],
    ["revoke", "bob", "--operator"],
  ])("refuses keys %s %s %s %s %s", async (...args) => {
    const { exit, out } = await recourse(["keys", ...args], { "gateway.yaml": "store: memory\n" });
    expect([exit, out]).toEqual(["usage", ""]);
  });

  it.each([["list"], ["revoke", "ci"]])("says where keys are in memory mode, for %s", async (...args) => {
    const { exit, err } = await recourse(["keys", ...args], { "gateway.yaml": "store: memory\n" });
    expect(exit).toBe("findings");
    expect(err).toContain("keys are the lines of `keys:` in the file");
  });

  it("says that the database of the keys is away", async () => {
    const store = 'store: { redis: "redis://127.0.0.1:1", postgres: "postgres://u:secret-word@127.0.0.1:1/d" }\n';
    const { exit, err } = await recourse(["keys", "list"], { "gateway.yaml": store });
    expect(exit).toBe("unreachable");
    expect(err.replaceAll(/\s+/g, " ")).toContain("PostgreSQL at 127.0.0.1:1 cannot be used: nothing listens there.");
    expect(err).not.toContain("secret-word");
  });
});
