// Pastes every code sample of the README and the guides, as it stands, into an empty project with the packed packages, type
// checks all of them with the oldest and the newest supported TypeScript, and runs them.
//
// A fence may say more behind its language: `ts file=server.ts` names the file that later samples of the page use,
// `ts serve=3000` starts a server that listens there until the next samples have run, `ts types` is only type checked.
// A `text output` fence right behind a sample is what the sample prints.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { linkFromHere, unpackAll } from "./linked.ts";
import { commandBeside, NPM } from "./packed.ts";
import { twoAtOnce } from "./two-at-once.ts";

/** The newest is the one of this repository; another one is fetched. */
const TYPESCRIPTS = ["5.9.3", "7.0.2"] as const;
const PAGES = [
  "README.md",
  "packages/bridge/README.md",
  "packages/stores/README.md",
  "packages/testing/README.md",
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
  const pages = Object.values(Object.groupBy(samples, ({ page }) => page)).filter((page) => page !== undefined);
  const isServing = (page: readonly Sample[]) => page.some(({ serve }) => serve !== undefined);
  // Pages that listen use the same ports, so they take turns.
  const serving = async () => {
    for (const page of pages.filter(isServing)) await runPage(page);
  };
  const others = pages.filter((page) => !isServing(page)).map((page) => () => runPage(page));
  await twoAtOnce([...TYPESCRIPTS.map((version) => () => typeCheck(version)), serving, ...others]);
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

/** An empty project with the packages as a user gets them, and what the samples import of others. */
function setUp(): void {
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "samples", private: true, type: "module" }));
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
  const types = ["@types/node", ...known.map((name) => `@types/${name}`)];
  const foreign = [...known, ...types].flatMap((name) => {
    const version = devDependencies[name];
    return version === undefined ? [] : [[name, version] as const];
  });
  for (const [name, version] of [...unpackAll(project), ...foreign]) linkFromHere({ project, name, version });
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

async function typeCheck(version: (typeof TYPESCRIPTS)[number]): Promise<void> {
  try {
    await commandBeside(process.execPath, [join(await compilerOf(version), "bin/tsc"), "-p", project], project);
  } catch (error) {
    problems.push(`TypeScript ${version}:\n${(error as Error).message}`);
  }
}

/** The folder of a version of TypeScript. */
async function compilerOf(version: string): Promise<string> {
  if (version === devDependencies["typescript"]) return resolve("node_modules/typescript");
  const folder = resolve(`.cache/typescript-${version}`);
  await commandBeside("npm", ["install", "--prefix", folder, "--no-save", ...NPM, `typescript@${version}`], ".");
  return join(folder, "node_modules/typescript");
}

/** Runs the samples of a page in their order; servers go on until the page is done. */
async function runPage(page: readonly Sample[]): Promise<void> {
  const servers: ChildProcess[] = [];
  for (const sample of page) {
    if (!sample.runs) continue;
    if (sample.serve === undefined) await runToEnd(sample);
    else servers.push(await start(sample, sample.serve));
  }
  for (const server of servers) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, "exit");
    server.kill();
    await ended;
  }
}

async function runToEnd(sample: Sample): Promise<void> {
  const child = spawn(process.execPath, [join(folderOf(sample.page), sample.file)], {
    cwd: folderOf(sample.page),
    timeout: RUN_LIMIT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const where = `${sample.page} ${sample.file}`;
  if (child.exitCode !== 0) problems.push(`${where} failed (${child.exitCode ?? child.signalCode}):\n${stderr}`);
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
