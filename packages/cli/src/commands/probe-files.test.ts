import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readXml } from "../../test/support/read-xml.ts";
import { sampleEra, sampleExchange, sampleRecording } from "../../test/support/samples.ts";
import type { Io } from "../program/command.ts";
import { runProgram } from "../program/run.ts";
import { serializeRecording } from "../recording/parse.ts";
import { HIDDEN_IN_RECORDING } from "../recording/recording.ts";
import { probeCommand } from "./probe.ts";

const folder = mkdtempSync(join(tmpdir(), "probe-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A recording of a server whose failures say `said`, and whose name is `said` too. */
function recordSaying(said: string): void {
  const [era] = [sampleEra()];
  const answer = {
    jsonrpc: "2.0",
    id: 1,
    error: { code: -32603, message: `at f (/srv/x.js:1:2) ${said}`, data: { [said]: said } },
  };
  const text = JSON.stringify(answer);
  const exchanges = (["first", "second"] as const).map((variant) =>
    sampleExchange({
      id: `2025-11-25/unknown-tool/${variant}`,
      stimulus: "unknown-tool",
      variant,
      answer: { kind: "message", message: answer, ms: 1, text, bytes: text.length },
    }),
  );
  const recording = sampleRecording({ eras: [{ ...era, server: { name: `shop ${said}`, version: "1" }, exchanges }] });
  writeFileSync(join(folder, "run.json"), serializeRecording(recording));
}

const FILES = {
  html: "r.html",
  markdown: "r.md",
  sarif: "r.sarif",
  junit: "r.xml",
  badge: "r.svg",
  "write-baseline": "known.json",
} as const;
const ALL_FILES = Object.entries(FILES).flatMap(([option, file]) => [`--${option}`, file]);

async function judge(args: readonly string[], more: Partial<Io> = {}) {
  let out = "";
  let err = "";
  const exit = await runProgram([probeCommand], ["probe", "--from", "run.json", ...args], {
    stdin: (async function* () {})(),
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
    env: {},
    cwd: folder,
    now: () => 0,
    signal: new AbortController().signal,
    ...more,
  });
  return { exit, out, err: err.replaceAll(/\s+/g, " ") };
}

const read = (file: string) => readFileSync(join(folder, file), "utf8");
const readJson = (file: string) => JSON.parse(read(file)) as Record<string, never>;

describe("the files of one run", () => {
  it("are all written at once", async () => {
    recordSaying("no such tool");
    const { exit, err } = await judge(ALL_FILES);
    expect({ exit, err }).toEqual({ exit: "ok", err: "" });
    for (const file of Object.values(FILES)) expect(read(file).length).toBeGreaterThan(100);
    expect(readJson(FILES["write-baseline"])).toHaveProperty("known.leak-stack");
  });

  it.each([
    'q"uo"te-9f',
    "back\\slash\\n",
    "1234567890",
    "c2VjcmV0LXZhbHVl",
    '{"type":"key"}',
    "testcase",
    "message",
    "medium",
    "critical",
    "]]>&amp;<x>",
  ])("are valid and without the secret %j", async (secret) => {
    const other = [JSON.stringify(secret), btoa(secret), encodeURIComponent(secret)].join('\\" \\');
    recordSaying(`${secret} "${secret}" ${other}`);
    const { exit, out } = await judge([...ALL_FILES, "--json", "--header", `X-Key: ${secret}`, "--exchanges"]);
    expect(exit).toBe("ok");
    const critical = expect.arrayContaining([expect.objectContaining({ severity: "critical" })]);
    expect(JSON.parse(out)).toMatchObject({ checks: critical });
    readJson(FILES.sarif);
    readXml(read(FILES.junit));
    readXml(read(FILES.badge));
    const [, data = ""] = /<script type="application\/json"[^>]*>(.*)<\/script>/s.exec(read(FILES.html)) ?? [];
    expect(JSON.parse(data)).toBeTypeOf("object");
    // A secret that is a word of a format stands there still, but nowhere where the server could have put it.
    if (/^[a-z]+$/.test(secret)) return;
    for (const text of [out, ...Object.values(FILES).map(read)])
      for (const form of [secret, btoa(secret), JSON.stringify(secret).slice(1, -1)]) expect(text).not.toContain(form);
  });

  it("show one mark for what was hidden in a recording and in the report", async () => {
    recordSaying(`${HIDDEN_IN_RECORDING} and secret-5f`);
    const { out } = await judge([...ALL_FILES, "--json", "--header", "X-Key: secret-5f", "--exchanges"]);
    for (const text of [out, ...Object.values(FILES).map(read)]) expect(text).not.toContain(HIDDEN_IN_RECORDING);
    expect(out).toContain("[hidden] and [hidden]");
  });

  it("are written even if one of them cannot be", async () => {
    recordSaying("x");
    rmSync(join(folder, FILES.badge));
    const { exit, err, out } = await judge(["--sarif", "no/such/folder/x.sarif", "--badge", FILES.badge]);
    expect(exit).toBe("usage");
    expect(err).toContain("no/such/folder/x.sarif cannot be written.");
    expect(existsSync(join(folder, FILES.badge))).toBe(true);
    expect(out).toContain("leak-stack");
  });
});

describe("--sarif", () => {
  const uri = () => /"uri": "([^"]*)"/.exec(read(FILES.sarif))?.[1];

  it("shows findings at the file that says what the project is, from the root of the repository", async () => {
    recordSaying("x");
    await judge(["--sarif", FILES.sarif]);
    expect(uri()).toBe("README.md");
    writeFileSync(join(folder, "go.mod"), "");
    await judge(["--sarif", FILES.sarif]);
    expect(uri()).toBe("go.mod");
    mkdirSync(join(folder, "servers/one"), { recursive: true });
    writeFileSync(join(folder, "servers/one/package.json"), "{}");
    const cwd = join(folder, "servers/one");
    await judge(["--sarif", join(folder, FILES.sarif), "--from", join(folder, "run.json")], {
      cwd,
      env: { GITHUB_WORKSPACE: folder },
    });
    expect(uri()).toBe("servers/one/package.json");
    await judge(["--sarif", join(folder, FILES.sarif), "--from", join(folder, "run.json")], {
      cwd,
      env: { GITHUB_WORKSPACE: join(folder, "other") },
    });
    expect(uri()).toBe("package.json");
  });
});

describe("--write-baseline", () => {
  it("makes a file with which nothing is new, and keeps the reasons in it", async () => {
    recordSaying("x");
    rmSync(join(folder, "b.json"), { force: true });
    expect((await judge(["--write-baseline", "b.json"])).exit).toBe("ok");
    expect((await judge(["--baseline", "b.json", "--fail-on", "low"])).exit).toBe("ok");
    const file = readJson("b.json") as unknown as { set: number; known: Record<string, string> };
    writeFileSync(
      join(folder, "b.json"),
      JSON.stringify({ ...file, known: { ...file.known, "leak-stack": "Ours, until May." } }),
    );
    await judge(["--baseline", "b.json", "--write-baseline", "b.json"]);
    expect(readJson("b.json")).toMatchObject({ known: { ...file.known, "leak-stack": "Ours, until May." } });
  });

  it("does not replace a file that is something else", async () => {
    recordSaying("x");
    writeFileSync(join(folder, "package.json"), '{"name":"x"}');
    const { exit, err } = await judge(["--write-baseline", "package.json"]);
    expect(exit).toBe("usage");
    expect(err).toContain("package.json exists and is not replaced. The baseline has a member");
    expect(read("package.json")).toBe('{"name":"x"}');
    rmSync(join(folder, "package.json"));
  });
});
