// Runs the step of the action as a runner does: its script by bash, its inputs as variables.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { NPM, packAll } from "../scripts/packed.ts";

const ACTION = import.meta.dirname;
const MAIN = resolve(ACTION, "../packages/cli/src/main.ts");
const definition = readFileSync(join(ACTION, "action.yml"), "utf8");
const [, indented = ""] = /\n {6}run: \|\n((?: {8}.*\n?)+)/.exec(definition) ?? [];
const script = indented.replaceAll(/^ {8}/gm, "");
const inputs = [...(/^inputs:\n([\s\S]*?)^outputs:/m.exec(definition)?.[1] ?? "").matchAll(/^ {2}([a-z-]+):$/gm)].map(
  ([, name = ""]) => name,
);
const variable = (name: string) => `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;

const folder = mkdtempSync(join(tmpdir(), "action-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Installing takes the network. This npm notes what it is asked for, and puts the program of this repository in place.
const fromSource = makeNpm(`mkdir -p "$3/node_modules/@recourse/cli/dist"
echo 'import ${JSON.stringify(MAIN)};' > "$3/node_modules/@recourse/cli/dist/main.js"
echo '{"type":"module"}' > "$3/node_modules/@recourse/cli/package.json"`);

/** A folder for PATH with an npm whose arguments are those of the step. */
function makeNpm(install: string): string {
  const bin = mkdtempSync(join(folder, "bin-"));
  const file = join(bin, "npm");
  writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "$@" > "$RUNNER_TEMP/npm-arguments"\n${install}\n`);
  chmodSync(file, 0o755);
  return bin;
}

/** A server whose every text tries to command the runner. */
const HOSTILE = "x\n::error::pwned\n  ::set-output name=score::100\n##[set-env name=A]b\n::stop-commands::";
const server = join(folder, "server.mjs");
writeFileSync(
  server,
  `import { createInterface } from "node:readline";
const said = ${JSON.stringify(HOSTILE)};
console.error(said);
createInterface({ input: process.stdin }).on("line", (line) => {
  let message; try { message = JSON.parse(line); } catch { return; }
  const { id, method, params } = message;
  if (id === undefined) return;
  const result = { initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: said, version: said } }, "tools/list": { tools: [] }, ping: {} }[method];
  const rest = result ? { result } : { error: { code: -32603, message: said } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
});
`,
);

let runs = 0;

function runStep(given: Readonly<Record<string, string>>, bin = fromSource) {
  runs += 1;
  const temp = join(folder, `run-${runs}`);
  const work = join(temp, "work");
  mkdirSync(work, { recursive: true });
  const defaults = { "working-directory": ".", reports: join(temp, "reports"), version: "0.1.0" };
  const all: Readonly<Record<string, string>> = { ...defaults, ...given };
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
    {
      cwd: work,
      encoding: "utf8",
      env: {
        PATH: [bin, process.env["PATH"]].join(delimiter),
        ...(bin === fromSource && { NODE_OPTIONS: "--conditions=@recourse/source" }),
        HOME: process.env["HOME"],
        NO_COLOR: "1",
        RUNNER_TEMP: temp,
        GITHUB_ACTION_PATH: ACTION,
        GITHUB_OUTPUT: join(temp, "output"),
        GITHUB_STEP_SUMMARY: join(temp, "summary"),
        ...Object.fromEntries(inputs.map((name) => [variable(name), all[name] ?? ""])),
      },
    },
  );
  const outputText = existsSync(join(temp, "output")) ? readFileSync(join(temp, "output"), "utf8") : "";
  const outputs = [...outputText.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2\n/gm)].map(([, name = "", , value = ""]) => [
    name,
    value,
  ]);
  return {
    status,
    log: stdout + stderr,
    stdout,
    temp,
    work,
    outputs: Object.fromEntries(outputs) as Record<string, string>,
  };
}

/** The lines of a log that the runner takes as commands. */
function commandsIn(stdout: string): string[] {
  let stopped: string | undefined;
  const taken: string[] = [];
  for (const line of stdout.split("\n")) {
    const [, command, value = ""] = /^\s*::([a-z-]+)[^:]*::(.*)$/.exec(line) ?? [];
    if (stopped !== undefined) {
      if (line.trim() === `::${stopped}::`) stopped = undefined;
    } else if (command === "stop-commands") stopped = value;
    else if (command !== undefined || line.includes("##[")) taken.push(line);
  }
  expect(stopped).toBeUndefined();
  return taken;
}

describe("action.yml", () => {
  it("hands every input over as a variable, and puts none into the script", () => {
    expect(script).toContain("probe.mjs");
    expect(script).not.toContain("${{");
    expect(inputs.length).toBeGreaterThan(8);
    for (const name of inputs) expect(definition).toContain(`${variable(name)}: \${{ inputs.${name} }}`);
    const read = readFileSync(join(ACTION, "probe.mjs"), "utf8") + script;
    for (const name of inputs) expect(read).toContain(variable(name).replace(/^INPUT_(?!VERSION)/, ""));
  });
});

describe("the step", () => {
  const probed = runStep({ command: `node "${server}"`, "fail-under": "100", env: "GREETING=secret-greeting" });

  it("probes the server, and ends as the probe does", () => {
    expect(probed.status).toBe(1);
    expect(probed.log).toContain("--fail-under asks for 100");
    expect(readFileSync(join(probed.temp, "npm-arguments"), "utf8")).toContain("@recourse/cli@0.1.0\n");
  });

  it("gives the score and the paths of the reports", () => {
    expect(Object.keys(probed.outputs).toSorted()).toEqual(
      ["badge", "grade", "html", "junit", "markdown", "recording", "sarif", "score"].toSorted(),
    );
    expect(probed.outputs["score"]).toMatch(/^\d{1,2}$/);
    expect(probed.outputs["grade"]).toMatch(/^(?:[A-F]\??|\?)$/);
    for (const name of ["html", "sarif", "junit", "badge", "markdown", "recording"])
      expect(existsSync(probed.outputs[name] ?? "")).toBe(true);
    expect(readFileSync(join(probed.temp, "summary"), "utf8")).toBe(
      readFileSync(probed.outputs["markdown"] ?? "", "utf8"),
    );
  });

  it("obeys nothing that the server says", () => {
    expect(commandsIn(probed.stdout)).toEqual([]);
    expect(probed.outputs["score"]).not.toBe("100");
  });

  it.each([
    ["command", '"; touch pwned; "', 3],
    ["command", "$(touch pwned) `touch pwned` && touch pwned", 3],
    ["command", "a\n::error::pwned\ntouch pwned", 3],
    ["command", 'node "unclosed', 2],
    ["command", "--allow-writes", 3],
    ["command", "", 2],
    ["url", 'http://127.0.0.1:1/"; touch pwned; "', 2],
    ["url", "http://127.0.0.1:1/$(touch$IFS'pwned')", 3],
    ["url", "file:///etc/passwd", 2],
    ["version", '1"; touch pwned; "', 2],
    ["version", "1 --registry=http://127.0.0.1:1", 2],
    ["version", "1\n::error::pwned", 2],
    ["options", "touch pwned", 2],
    ["fail-under", "50; touch pwned", 2],
    ["fail-under", "--allow-writes", 2],
    ["baseline", "$(touch pwned)", 2],
    ["headers", "X: 1\n--allow-writes", 2],
    ["env", "A=$(touch pwned)\n=x", 2],
    ["working-directory", "no/such; touch pwned", 1],
  ])("does not run what stands in %s: %j", (name, value, status) => {
    const command = name === "url" ? "" : "recourse-test-no-such-program";
    const run = runStep({ command, [name]: value });
    expect(run.status).toBe(status);
    expect(readdirSync(run.work)).toEqual([]);
    expect(commandsIn(run.stdout).every((line) => line.startsWith("::error title=Recourse probe::"))).toBe(true);
    expect(commandsIn(run.stdout).join()).not.toContain("pwned");
  });
});

describe.skipIf(!existsSync("packages/cli/dist/main.js"))("the packed program (skipped if it is not built)", () => {
  it("is installed by npm and probes a server", { timeout: 180_000 }, () => {
    const npm = spawnSync("bash", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();
    const ours = packAll().filter((file) => /recourse-(?:core|explain|testing|cli)-/.test(file));
    const words = [...NPM, "--offline", ...ours].map((word) => `'${word}'`).join(" ");
    const run = runStep({ command: `node ${server}` }, makeNpm(`exec '${npm}' install --prefix "$3" ${words}`));
    expect(run.log).toContain("All of it is in ");
    expect(run.status).toBe(0);
    expect(run.outputs["score"]).toMatch(/^\d{1,3}$/);
  });
});
