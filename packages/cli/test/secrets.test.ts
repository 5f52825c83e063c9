// What was typed as a secret never comes out again, whatever a server does with it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../src/commands/index.ts";
import { runProgram } from "../src/program/run.ts";
import { listen } from "./support/record.ts";

const TOKEN = "tok/9fK2+mQx7==Zr";
const TRACE = "trace-w8Yq3LmN";
const USER = "ukey-Hq71xPz";
const PASSWORD = "p@ss/Wd-55Kx";
const QUERY = "q-Ab83nTzV";
const SECRETS = [TOKEN, TRACE, USER, PASSWORD, QUERY];

/** A value as a server may write it. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const every = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  return [
    value,
    encodeURIComponent(value),
    every.map((hex) => `%${hex}`).join(""),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    Buffer.from(`x:${value}`).toString("base64"),
  ];
}

const LEAKS = SECRETS.flatMap(formsOf);

/** Runs the program and returns all that it wrote. */
async function written(args: readonly string[], env: Readonly<Record<string, string | undefined>> = process.env) {
  let all = "";
  const write = (text: string) => {
    all += text;
  };
  const exit = await runProgram(COMMANDS, args, {
    stdin: (async function* () {})(),
    stdout: { write },
    stderr: { write },
    env,
    cwd: process.cwd(),
    now: Date.now,
    signal: new AbortController().signal,
  });
  return { exit, all };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Repeats all that it was sent, in headers, names and texts, and as the beginning of a text that is cut. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = "";
  request.on("data", (piece) => {
    body += String(piece);
  });
  request.on("end", () => {
    let message: { id?: unknown; method?: string; params?: { protocolVersion?: string } } = {};
    try {
      message = JSON.parse(body) as typeof message;
    } catch {}
    const said = LEAKS.join(" ");
    const answers: Record<string, unknown> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: said, version: TRACE },
      },
      "tools/list": {
        tools: [
          {
            name: `${TRACE}_get`,
            description: said,
            annotations: { readOnlyHint: true },
            inputSchema: { type: "object", properties: { [TRACE]: { type: "string" } }, required: [TRACE] },
          },
        ],
      },
      ping: {},
      "tools/call": { isError: true, content: [{ type: "text", text: `${"x".repeat(19_850)} ${said}` }] },
    };
    const result = answers[message.method ?? ""];
    const error = { code: -32603, message: `Failed ${said}`, data: { [TOKEN]: said } };
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: message.id ?? null,
      ...(result === undefined ? { error } : { result }),
    });
    const isStream = message.method === "resources/read";
    response.writeHead(result === undefined && !isStream ? 400 : 200, {
      "content-type": isStream ? "text/event-stream" : "application/json",
      "x-echo": said,
      [`x-${TRACE}`]: said,
    });
    response.end(isStream ? `: ${said}\ndata: ${text}\n\n` : text);
  });
}

function expectNone(text: string, where: string): void {
  expect(text.length, where).toBeGreaterThan(0);
  for (const leak of LEAKS) expect(text.includes(leak), `${where}: ${leak}`).toBe(false);
  // A text that is cut in the midst of one shows no half of it either.
  for (const secret of SECRETS) expect(text.includes(secret.slice(0, -3)), `${where}: half of ${secret}`).toBe(false);
}

async function echoAddress(): Promise<string[]> {
  const { url, close } = await listen(echo);
  onTestFinished(close);
  const address = new URL(url);
  address.username = USER;
  address.password = PASSWORD;
  address.searchParams.set("api_key", QUERY);
  return [address.href, "--header", `Authorization: Bearer ${TOKEN}`, "--header", `X-Trace: ${TRACE}`];
}

test("a probe of a server that repeats them", { timeout: 120_000 }, async () => {
  const path = folder();
  const [saved, page] = [join(path, "run.json"), join(path, "page.html")];
  const address = await echoAddress();
  const first = await written(["probe", ...address, "--save", saved, "--html", page, "--verbose", "--debug"]);
  expectNone(first.all, "terminal");
  expectNone(readFileSync(saved, "utf8"), "recording");
  expectNone(readFileSync(page, "utf8"), "page");
  expectNone((await written(["probe", "--from", saved, "--json", "--exchanges"])).all, "json");
  const ids = [...readFileSync(saved, "utf8").matchAll(/"id": "(2025-11-25\/[^"]+)"/g)].map(([, id = ""]) => id);
  const id = ids.find((one) => one.includes("unknown-tool")) ?? "";
  expectNone((await written(["probe", ...address, "--from", saved, "--replay", id])).all, "replay");
  expectNone((await written(["probe", ...address, "--from", saved, "--replay", id, "--json"])).all, "replay --json");
});

test.each([["--verbose"], ["--json"], ["--debug"]])("doctor %s of a server that repeats them", async (option) => {
  expectNone((await written(["doctor", ...(await echoAddress()), option])).all, "doctor");
});

test("an address whose user cannot be decoded is no bug of the program", async () => {
  for (const command of ["probe", "doctor"]) {
    const { all, exit } = await written([command, "http://a%zz:p%E0%A4%A-s3cret@127.0.0.1:1/mcp"]);
    expect(exit, all).not.toBe("bug");
    expect(all).not.toMatch(/bug|s3cret/);
  }
});

const NOISY = fileURLToPath(new URL("servers/noisy.mjs", import.meta.url));

test.each([
  ["probe", "-e", `MY_PIN=${TOKEN}`],
  ["probe", "-e", "MY_PIN"],
  ["doctor", "-e", `MY_PIN=${TOKEN}`],
  ["doctor", "-e", "MY_PIN"],
])("%s %s %s of a program that prints its variables and arguments", { timeout: 120_000 }, async (command, ...given) => {
  const path = folder();
  const saved = join(path, "run.json");
  const more = command === "probe" ? ["--save", saved, "--era", "2025-11-25"] : [];
  const args = [command, ...given, ...more, "--verbose", "--debug"];
  const target = [
    "--",
    process.execPath,
    NOISY,
    `--db=postgres://${USER}:${PASSWORD}@db/x`,
    "--password",
    QUERY,
    TRACE,
  ];
  const { all } = await written([...args, ...target], { ...process.env, MY_PIN: TOKEN });
  const secrets = [TOKEN, PASSWORD, encodeURIComponent(PASSWORD), QUERY, btoa(TOKEN), btoa(QUERY)];
  for (const secret of secrets) expect(all.includes(secret), `terminal: ${secret}`).toBe(false);
  if (command !== "probe") return;
  const recording = readFileSync(saved, "utf8");
  for (const secret of secrets) expect(recording.includes(secret), `recording: ${secret}`).toBe(false);
  expect(recording).toContain("MY_PIN is");
});
