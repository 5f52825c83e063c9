import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Report } from "../../packages/cli/src/report/report.ts";
import { addressIn, end, type Program, run, start } from "./child.ts";
import type { Entry } from "./entry.ts";
import { changesBetween, pathOf, processesOf, takeSnapshot } from "./snapshot.ts";
import { startOnce } from "./start-once.ts";

/** The folder that has the public servers installed. */
export const INSTALLED = resolve(".cache/survey");
const RECOURSE = resolve("packages/cli/src/main.ts");
const SOURCE = "--conditions=@recourse/source";
const START_LIMIT_MS = 60_000;
const PROBE_LIMIT_MS = 240_000;

/** What came of one server. */
export interface Surveyed {
  readonly name: string;
  readonly report?: Report;
  /** Why there is no report. */
  readonly failed?: string;
  /** The wall-clock time of the whole program. */
  readonly ms: number;
  /** Files, tables and processes that differ afterwards. */
  readonly changes: readonly string[];
}

/** Probes one server, as a user would: the program in a process of its own, in an empty folder that is also the home. */
export async function survey(name: string, entry: Entry): Promise<Surveyed> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `survey-${name.replaceAll(/\W/g, "-")}-`)));
  const port = await freePort();
  const fill = (text: string): string => text.replaceAll("$DIR", folder).replaceAll("$PORT", String(port));
  try {
    for (const [path, text] of Object.entries(entry.files ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const server: Program = {
      command: [process.execPath, ...relay(entry), ...preload(entry), fileOf(entry), ...(entry.args ?? []).map(fill)],
      cwd: folder,
      env: environment(folder, Object.fromEntries(Object.entries(entry.env ?? {}).map(([k, v]) => [k, fill(v)]))),
    };
    const result =
      entry.listens === undefined
        ? await observed(server, { entry, folder }, () => probe(server.command, server, { name, entry }))
        : await overHttp(server, { name, entry }, { folder, port });
    return { name, ...result };
  } catch (thrown) {
    return { name, failed: String(thrown), ms: 0, changes: [] };
  } finally {
    for (const id of processesOf(folder)) kill(id);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Named {
  readonly name: string;
  readonly entry: Entry;
}
type Probed = Omit<Surveyed, "name" | "changes">;

async function overHttp(
  server: Program,
  { name, entry }: Named,
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<Omit<Surveyed, "name">> {
  const child = start(server);
  try {
    const printed = await addressIn(child, entry.listens as RegExp, START_LIMIT_MS);
    const url = printed.startsWith("http") ? printed : `http://127.0.0.1:${port}${entry.path ?? "/mcp"}`;
    return await observed(server, { entry, folder }, () => probe([url], server, { name, entry }));
  } finally {
    end(child);
  }
}

/** Runs a probe between two looks at everything that it must not change. What a mere start changes does not count. */
async function observed(
  server: Program,
  { entry, folder }: { readonly entry: Entry; readonly folder: string },
  work: () => Promise<Probed>,
): Promise<Omit<Surveyed, "name">> {
  const isStdio = entry.listens === undefined;
  const look = () => takeSnapshot(folder, entry.database);
  if (isStdio) await startOnce(server);
  const running = new Set(processesOf(folder));
  const before = await look();
  const result = await work();
  const left = processesOf(folder).filter((id) => !running.has(id));
  const after = await look();
  if (isStdio) await startOnce(server);
  const byStart = new Set(isStdio ? changesBetween(after, await look()).map(pathOf) : []);
  const changes = changesBetween(before, after).filter((change) => !byStart.has(pathOf(change)));
  return { ...result, changes: [...changes, ...left.map(() => "left a process behind")] };
}

async function probe(target: readonly string[], { cwd, env }: Program, { name, entry }: Named): Promise<Probed> {
  const options = [
    ...["--save", join(INSTALLED, "recordings", `${name}.json`)],
    ...(entry.listens === undefined
      ? Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`])
      : []),
    ...(entry.headers ?? []).flatMap((header) => ["--header", header]),
    ...(entry.baseline === undefined ? [] : ["--baseline", resolve(entry.baseline)]),
    "--exchanges",
  ];
  mkdirSync(join(INSTALLED, "recordings"), { recursive: true });
  const ended = await run(
    { command: [process.execPath, SOURCE, RECOURSE, "probe", "--json", ...options, ...target], cwd, env },
    PROBE_LIMIT_MS,
  );
  const { stdout, stderr, code, ms } = ended;
  if (ended.timedOut) return { failed: `no report after ${PROBE_LIMIT_MS / 1_000} s`, ms };
  if (code !== 0 && code !== 1) return { failed: `exit ${code}: ${stderr.trim().slice(-500)}`, ms };
  return { report: JSON.parse(stdout) as Report, ms };
}

/** Only what a server needs, and a home of its own: nothing of the real user is in reach. */
function environment(folder: string, own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder, NO_COLOR: "1", ...own };
}

function preload({ guarded, package: name }: Entry): readonly string[] {
  if (guarded === true) return [SOURCE, `--import=${resolve("research/survey/project/guard.ts")}`];
  return name === undefined ? [SOURCE] : [];
}

/** A program between the probe and the server. */
function relay({ withoutAnnotations }: Entry): readonly string[] {
  return withoutAnnotations === true ? [resolve("research/unseen/without-annotations.ts"), process.execPath] : [];
}

function fileOf({ package: name, file, installedIn = INSTALLED }: Entry): string {
  return name === undefined ? resolve(file) : join(installedIn, "node_modules", name, file);
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => found(typeof address === "object" && address !== null ? address.port : 0));
      });
  });
}
