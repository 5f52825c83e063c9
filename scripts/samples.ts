// Pastes every code sample of the README and the guides, as it stands, into an empty project with the packed packages, type
// checks all of them with the oldest and the newest supported TypeScript, and runs them.
//
// A fence may say more behind its language: `ts file=server.ts` names the file that later samples of the page use,
// `ts serve=3000` starts a server that listens there until the next samples have run, `ts types` is only type checked.
// A `text output` fence right behind a sample is what the sample prints.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, packAll } from "./packed.ts";

const TYPESCRIPTS = ["5.9.3", "7.0.2"];
const PAGES = [
  "README.md",
  "packages/bridge/README.md",
  "packages/stores/README.md",
  "packages/gateway/README.md",
  ...globSync("docs/guide/*.md"),
].toSorted();
const RUN_LIMIT_MS = 20_000;

interface Sample {
  readonly page: string;
  readonly file: string;
  readonly code: string;
  readonly serve: number | undefined;
  readonly runs: boolean;
  readonly output: string | undefined;
}

const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const samples = PAGES.flatMap(samplesIn);
const project = mkdtempSync(join(tmpdir(), "samples-"));
const problems: string[] = [];
try {
  setUp();
  for (const version of TYPESCRIPTS) typeCheck(version);
  for (const page of PAGES) await runPage(samples.filter((sample) => sample.page === page));
} finally {
  rmSync(project, { recursive: true, force: true });
}
const ran = samples.filter(({ runs }) => runs).length;
console.log(
  `${samples.length} samples on ${PAGES.length} pages: type checked with ${TYPESCRIPTS.join(" and ")}, ${ran} run`,
);
if (problems.length > 0) console.log(problems.join("\n\n"));
process.exitCode = problems.length === 0 ? 0 : 1;

function samplesIn(page: string): Sample[] {
  const fences = [...readFileSync(page, "utf8").matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)];
  return fences.flatMap(([, language, info = "", code = ""], index): Sample[] => {
    if (language !== "ts") return [];
    const next = fences[index + 1];
    const isOutput = next?.[1] === "text" && next[2]?.trim() === "output";
    const serve = /\bserve=(\d+)/.exec(info)?.[1];
    return [
      {
        page,
        file: /\bfile=(\S+)/.exec(info)?.[1] ?? `sample-${index + 1}.ts`,
        code,
        serve: serve === undefined ? undefined : Number(serve),
        runs: !/\btypes\b/.test(info),
        output: isOutput ? next?.[3] : undefined,
      },
    ];
  });
}

/** An empty project with the packages as a user gets them. */
function setUp(): void {
  const tarballs = packAll(project);
  const names = new Set(
    samples.flatMap(({ code }) => [...code.matchAll(/from "([^."][^"]*)"/g)].map(([, name = ""]) => name)),
  );
  const wanted = [...names].map((name) =>
    name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/"),
  );
  const known = [...new Set(wanted)].filter((name) => !name.startsWith("node:") && !name.startsWith("@recourse/"));
  const missing = known.filter((name) => devDependencies[name] === undefined);
  if (missing.length > 0)
    throw new Error(`samples use packages that are not in devDependencies: ${missing.join(", ")}`);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "samples", private: true, type: "module" }));
  const versions = [...known, "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  const types = known.map((name) => `@types/${name}`).filter((name) => devDependencies[name] !== undefined);
  const compilers = TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const all = [...tarballs, ...versions, ...types.map((name) => `${name}@${devDependencies[name]}`), ...compilers];
  command(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", ...all],
    project,
  );
  for (const { page, file, code } of samples) {
    mkdirSync(folderOf(page), { recursive: true });
    writeFileSync(join(folderOf(page), file), code);
  }
  const compilerOptions = {
    strict: true,
    module: "nodenext",
    target: "es2024",
    types: ["node"],
    noEmit: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["pages"] }));
}

function typeCheck(version: string): void {
  const tsc = join(project, `node_modules/typescript-${version}/bin/tsc`);
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  if (status !== 0) problems.push(`TypeScript ${version}:\n${stdout}`);
}

/** Runs the samples of a page in their order; servers go on until the page is done. */
async function runPage(page: readonly Sample[]): Promise<void> {
  const servers: ChildProcess[] = [];
  for (const sample of page) {
    if (!sample.runs) continue;
    if (sample.serve === undefined) runToEnd(sample);
    else servers.push(await start(sample, sample.serve));
  }
  for (const server of servers) server.kill();
}

function runToEnd(sample: Sample): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folderOf(sample.page), sample.file)], {
    encoding: "utf8",
    cwd: folderOf(sample.page),
    timeout: RUN_LIMIT_MS,
    input: "",
  });
  const where = `${sample.page} ${sample.file}`;
  if (status !== 0) problems.push(`${where} failed (${status}):\n${stderr}`);
  else if (sample.output !== undefined && plain(stdout) !== plain(sample.output))
    problems.push(`${where} prints:\n${stdout}\nbut the page says:\n${sample.output}`);
}

/** Starts a sample that listens, and waits until it does. */
async function start(sample: Sample, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folderOf(sample.page), sample.file)], {
    cwd: folderOf(sample.page),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const end = Date.now() + RUN_LIMIT_MS;
  while (!(await isListening(port))) {
    if (Date.now() > end || child.exitCode !== null) {
      problems.push(`${sample.page} ${sample.file} does not listen on ${port}:\n${stderr}`);
      break;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return child;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => done(true)).once("error", () => done(false));
    socket.once("close", () => {}).unref();
    socket.once("connect", () => socket.destroy());
  });
}

/** Ids and times differ by run. */
function plain(text: string): string {
  return text
    .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "ID")
    .replaceAll(/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "TIME")
    .trimEnd();
}

function folderOf(page: string): string {
  return join(project, "pages", page.replaceAll("/", "-").replace(/\.md$/, ""));
}
