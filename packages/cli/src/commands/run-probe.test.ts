import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shop } from "../../test/servers/shop-v2.ts";
import { COMPILE_CACHE } from "../../test/support/compile-cache.ts";
import { listen, program } from "../../test/support/record.ts";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { NEWEST_SET } from "../judge/score.ts";
import type { Io } from "../program/command.ts";
import { runProgram } from "../program/run.ts";
import { parseRecording, serializeRecording } from "../recording/parse.ts";
import type { Report } from "../report/report.ts";
import { probeCommand } from "./probe.ts";

const SECRET = "tok-3f9a-very-secret";

let folder = "";
let server: Awaited<ReturnType<typeof listen>>;
/** The first run, whose recording the other tests judge. */
let first: { readonly exit: string; readonly out: string; readonly err: string };

async function recourse(args: readonly string[], more: Partial<Io> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const exit = await runProgram([probeCommand], ["probe", ...args], {
    stdin: (async function* () {})(),
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: { PATH: process.env["PATH"] },
    cwd: folder,
    now: Date.now,
    signal: new AbortController().signal,
    ...more,
  });
  return { exit, out: out.join(""), err: err.join("") };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "recourse-probe-"));
  server = await listen(toNodeListener(createMcpHandler(shop)));
  const files = ["--save", "run.json", "--html", "report.html"];
  first = await recourse([server.url, ...files, "--json", "--header", `Authorization: Bearer ${SECRET}`]);
}, 180_000);

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("recourse probe <url>", () => {
  it("writes one JSON document, and nothing else", () => {
    expect(first).toMatchObject({ exit: "ok", err: "" });
    const report = JSON.parse(first.out) as Report;
    expect(report.target).toMatchObject({ transport: "http", url: server.url, server: { name: "shop" } });
    expect(report.target.revisions).toEqual(["2025-11-25", "2026-07-28"]);
    expect(report.checks.map(({ id }) => id)).toEqual(PROBE_CHECKS.map(({ id }) => id));
    expect(report.coverage.of).toBe(PROBE_CHECKS.length);
    expect(report.called).toContain("get_item");
    expect(report.called).not.toContain("delete_item");
    expect(report.checks.find(({ id }) => id === "leak-runtime-text")).toMatchObject({ state: "fail" });
  });

  it("names evidence that is in the document", () => {
    const report = JSON.parse(first.out) as Report;
    const ids = new Set(report.exchanges.map(({ id }) => id));
    const evidence = report.checks.flatMap(({ evidence: of = [] }) => of);
    expect(evidence.length).toBeGreaterThan(5);
    expect(evidence.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("saves a recording and a page, without the values of headers", () => {
    const saved = readFileSync(join(folder, "run.json"), "utf8");
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(parseRecording(saved)).toMatchObject({ ok: true });
    expect(page).toContain("<h1>shop 1.0.0</h1>");
    expect(page).toContain("curl -isS");
    for (const text of [saved, page, first.out]) expect(text).not.toContain(SECRET);
  });
});

describe("recourse probe --from", () => {
  it("gives the same verdict as the probe itself", async () => {
    const { out } = await recourse(["--from", "run.json", "--json"]);
    expect(JSON.parse(out)).toEqual(JSON.parse(first.out));
  });

  it("writes for a terminal", async () => {
    const { exit, out, err } = await recourse(["--from", "run.json"]);
    expect({ exit, err }).toEqual({ exit: "ok", err: "" });
    expect(out).toMatch(/^\n {2}shop 1\.0\.0 · http · 2025-11-25, 2026-07-28 · 3 tools, 2 read-only\n/);
    expect(out).toMatch(/\n {2}✖ \d+ findings \(.*[\s\S]*--html report\.html\n$/);
  });

  it("runs chosen checks and categories alone", async () => {
    const { out } = await recourse(["--from", "run.json", "--json", "--only", "leak,no-hang", "--skip", "leak-stack"]);
    const report = JSON.parse(out) as Report;
    const ran = report.checks.filter(({ message }) => message !== "You left it out.").map(({ id }) => id);
    expect(ran).toContain("no-hang");
    expect(ran).toContain("leak-path");
    expect(ran).not.toContain("leak-stack");
    expect(ran).not.toContain("code-integer");
    expect(report.grade).toMatch(/\?$/);
  });

  it("carries every exchange with --exchanges", async () => {
    const { out } = await recourse(["--from", "run.json", "--json", "--exchanges"]);
    const report = JSON.parse(out) as Report;
    expect(report.exchanges.length).toBeGreaterThan((JSON.parse(first.out) as Report).exchanges.length);
  });

  it("exits with 1 where the bar is not reached", async () => {
    const under = await recourse(["--from", "run.json", "--fail-under", "99"]);
    expect(under).toMatchObject({ exit: "findings", err: expect.stringMatching(/The score is \d+, and --fail-under/) });
    const on = await recourse(["--from", "run.json", "--fail-on", "low", "--json"]);
    expect(on.exit).toBe("findings");
    expect(JSON.parse(on.err)).toMatchObject({ error: { code: "findings" } });
    expect((await recourse(["--from", "run.json", "--fail-under", "1"])).exit).toBe("ok");
  });

  it("accepts what the baseline lists, and no stale entry", async () => {
    const report = JSON.parse(first.out) as Report;
    const failed = report.checks.filter(({ state }) => state === "fail").map(({ id }) => [id, "known since May"]);
    const passed = report.checks.find(({ state }) => state === "pass")?.id ?? "";
    writeFileSync(join(folder, "known.json"), JSON.stringify({ set: NEWEST_SET, known: Object.fromEntries(failed) }));
    const args = ["--from", "run.json", "--baseline", "known.json", "--fail-on", "low"];
    expect((await recourse(args)).exit).toBe("ok");
    writeFileSync(join(folder, "known.json"), JSON.stringify({ set: NEWEST_SET, known: { [passed]: "x" } }));
    const stale = await recourse(["--from", "run.json", "--baseline", "known.json"]);
    expect(stale).toMatchObject({ exit: "findings", err: expect.stringContaining(passed) });
  });

  it("says that an interrupted probe is not the whole answer", async () => {
    const parsed = parseRecording(readFileSync(join(folder, "run.json"), "utf8"));
    if (!parsed.ok) throw new Error(parsed.because);
    writeFileSync(join(folder, "part.json"), serializeRecording({ ...parsed.recording, interrupted: true }));
    expect((await recourse(["--from", "part.json"])).out).toContain("ended early");
  });
});

describe("recourse probe --replay", () => {
  const id = "2025-11-25/unknown-tool/first";

  it("shows an exchange of a recording", async () => {
    const { exit, out } = await recourse(["--from", "run.json", "--replay", id]);
    expect(exit).toBe("ok");
    for (const text of ["sent", '"method":"tools/call"', "got", "by hand", "curl -isS"]) expect(out).toContain(text);
  });

  it("sends it again to a server", async () => {
    const { exit, out } = await recourse(["--from", "run.json", "--replay", id, "--json", server.url]);
    expect(exit).toBe("ok");
    expect(JSON.parse(out)).toMatchObject({ id, answer: { kind: "message" }, commandLine: expect.any(String) });
  });

  it("knows which id was meant", async () => {
    const { exit, err } = await recourse(["--from", "run.json", "--replay", "2025-11-25/unknown-tool/frist"]);
    expect(exit).toBe("usage");
    expect(err.replaceAll(/\s+/g, " ")).toContain("Did you mean 2025-11-25/unknown-tool/first?");
  });
});

describe("recourse probe --list-checks", () => {
  it("lists every check", async () => {
    const { out } = await recourse(["--list-checks"]);
    for (const { id } of PROBE_CHECKS) expect(out).toContain(id);
    const { out: json } = await recourse(["--list-checks", "--json"]);
    expect(JSON.parse(json)).toHaveLength(PROBE_CHECKS.length);
  });
});

describe("a command line that is wrong", () => {
  it.each([
    [[], /Name a server/],
    [["--from", "run.json", "node", "x.js"], /not both/],
    [["http://127.0.0.1:1/mcp", "more"], /takes no arguments/],
    [["http://[bad"], /not a URL/],
    [["--from", "missing.json"], /missing\.json cannot be read/],
    [["--from", "report.html"], /report\.html cannot be judged/],
    [["--from", "run.json", "--only", "leak-stak"], /no check or category "leak-stak"\. Did you mean leak-stack\?/],
    [["--from", "run.json", "--fail-under", "101"], /from 0 to 100/],
    [["--from", "run.json", "--fail-under", "b"], /from 0 to 100/],
    [["--from", "run.json", "--set", "3"], /--set takes a whole number from 1 to 2/],
    [["--from", "run.json", "--baseline", "report.html"], /The baseline is not JSON/],
    [["--header", "nonsense", "http://127.0.0.1:1/mcp"], /--header "Name: value"/],
    [["-e", "RECOURSE_TEST_MISSING", "node"], /no such variable/],
    [["--from", "run.json", "--html", "no/such/folder/x.html"], /cannot be written/],
  ])("%j", async (args, message) => {
    const { exit, err } = await recourse(args);
    expect(exit).toBe("usage");
    expect(err.replaceAll(/\s+/g, " ")).toMatch(message);
  });

  it("does not show a secret that was typed in a wrong place", async () => {
    const { err } = await recourse(["--header", SECRET, "http://127.0.0.1:1/mcp"]);
    expect(err).not.toContain(SECRET);
  });
});

describe("a server that cannot be probed", () => {
  it("is unreachable, and doctor is the next step", async () => {
    const { exit, err, out } = await recourse(["http://127.0.0.1:1/mcp"]);
    expect({ exit, out }).toEqual({ exit: "unreachable", out: "" });
    expect(err).toContain("recourse doctor http://127.0.0.1:1/mcp");
    const missing = await recourse(["recourse-test-no-such-program", "a b"]);
    expect(missing.exit).toBe("unreachable");
    expect(missing.err).toContain("The program could not be started.");
    expect(missing.err).toContain('recourse doctor recourse-test-no-such-program "a b"');
  });

  it("asks for credentials, and the header is the next step", async () => {
    const closed = createServer((_, response) => {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    });
    const listening = await listen((request, response) => void closed.emit("request", request, response));
    try {
      const { exit, err } = await recourse([listening.url]);
      expect(exit).toBe("credentials");
      expect(err).toContain('--header "Authorization: Bearer <token>"');
    } finally {
      await listening.close();
    }
  });
});

describe("Ctrl-C", () => {
  const SOONER = Object.entries(COMPILE_CACHE).flatMap((pair) => ["-e", pair.join("=")]);

  it("ends the probe, prints what is known, and ends the program", async () => {
    const interrupted = new AbortController();
    const { command, args } = program("shop-v2");
    const stderr = {
      write: (text: string) => {
        if (text.includes("unknown-tool")) interrupted.abort();
      },
    };
    const { exit, out } = await recourse([...SOONER, "--verbose", command, ...args], {
      signal: interrupted.signal,
      stderr,
    });
    expect(exit).toBe("interrupted");
    expect(out.replaceAll(/\s+/g, " ")).toContain("ended early, findings may be missing");
  });
});
