import { mkdirSync, writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";

/** Where the CPU time of calls goes. */
export interface Profile {
  /** Self time in µs per call, by function and file. */
  readonly functions: ReadonlyMap<string, number>;
  /** Self time in µs per call, by whose code it is. */
  readonly groups: ReadonlyMap<string, number>;
  readonly file: string;
}

interface ProfileOptions {
  /** The name of the file. */
  readonly name: string;
  readonly calls: number;
  readonly run: () => Promise<unknown>;
}

const INTERVAL_US = 200;
const FOLDER = ".cache/profiles";

/** Runs calls under the profiler, and keeps the profile as a file for tools that show it. */
export async function profileOf({ name, calls, run }: ProfileOptions): Promise<Profile> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    await session.post("Profiler.start");
    await run();
    const { profile } = await session.post("Profiler.stop");
    mkdirSync(FOLDER, { recursive: true });
    const file = `${FOLDER}/${name}.cpuprofile`;
    writeFileSync(file, JSON.stringify(profile));
    return { ...selfTimes(profile, calls), file };
  } finally {
    session.disconnect();
  }
}

function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, calls: number) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === "(idle)") continue;
    const us = (timeDeltas[at] ?? 0) / calls;
    add(functions, `${frame.functionName || "(anonymous)"} ${shortPath(frame)}`, us);
    add(groups, groupOf(frame), us);
  }
  return { functions, groups };
}

function add(to: Map<string, number>, name: string, us: number): void {
  to.set(name, (to.get(name) ?? 0) + us);
}

function shortPath({ url, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  if (url === "") return "";
  const path = url.replace(/^.*\/(?=(?:packages|node_modules|bench)\/)/, "").replace("node_modules/", "");
  return `${path}:${lineNumber + 1}`;
}

/** Whose code a function is, by the first pattern that matches its file. */
const GROUPS: readonly (readonly [RegExp, (match: RegExpMatchArray) => string])[] = [
  [/\/node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\//, ([, name = ""]) => name],
  [/\/packages\/(gateway\/(?:src|dist)\/[^/.]+)/, ([, folder = ""]) => folder],
  [/\/packages\/([^/]+)\//, ([, name = ""]) => name],
  [/\/bench\//, () => "the bench itself"],
  [/^node:.*(?:http|net|stream|tls)/, () => "node: http, net, streams"],
  [/^node:/, () => "node: the rest"],
];

function groupOf({ url, functionName }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  if (functionName === "(garbage collector)") return "garbage collection";
  for (const [pattern, name] of GROUPS) {
    const match = pattern.exec(url);
    if (match !== null) return name(match);
  }
  return "engine and system calls";
}

/** The largest differences of one profile to another, in µs per call. */
export function profileTables(of: Profile, direct: Profile, { functions = 25 } = {}): string {
  return [
    table("self time of", largest(of.functions, direct.functions).slice(0, functions)),
    table("whose code", largest(of.groups, direct.groups)),
  ].join("\n\n");
}

function largest(of: ReadonlyMap<string, number>, direct: ReadonlyMap<string, number>) {
  const all = [...of].map(([name, us]) => ({ name, us, net: us - (direct.get(name) ?? 0) }));
  return all.toSorted((a, b) => b.net - a.net);
}

function table(title: string, rows: ReturnType<typeof largest>): string {
  const lines = rows.map(({ name, us, net }) => `| ${name} | ${net.toFixed(1)} | ${us.toFixed(1)} |`);
  return [`| ${title} | µs per call, less no proxy | with load and stub |`, "| --- | --- | --- |", ...lines].join("\n");
}
