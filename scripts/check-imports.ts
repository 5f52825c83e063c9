// Fails when a folder of a package imports one that it must not know. The tables are the architecture.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

interface Package {
  readonly src: string;
  /** What each folder may import, itself apart. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Folders and files that must run anywhere: no platform module, clock, randomness or environment. */
  readonly pure: readonly string[];
  /** Files of these folders that read the clock all the same. */
  readonly clocks?: readonly string[];
  /** What may be imported from outside of the package, by the beginning of the file's path. */
  readonly outside: Readonly<Record<string, RegExp>>;
}

const CORE: Package = {
  src: "packages/core/src",
  folders: {
    wire: [],
    errors: ["wire"],
    safety: ["wire"],
    fault: ["wire", "safety"],
    platform: [],
    sdk: ["wire", "errors", "safety"],
    reasons: ["wire", "errors", "safety", "fault", "sdk"],
    render: ["wire", "safety", "fault", "reasons"],
    dialects: ["wire", "errors", "safety", "fault", "reasons", "render", "sdk"],
    schema: ["wire", "errors", "safety", "fault"],
    retry: ["wire", "safety", "fault", "reasons"],
    incidents: ["wire", "errors", "safety", "fault", "render", "platform"],
    server: [
      "wire",
      "errors",
      "safety",
      "fault",
      "reasons",
      "render",
      "dialects",
      "schema",
      "sdk",
      "incidents",
      "platform",
    ],
    client: [
      "wire",
      "errors",
      "safety",
      "fault",
      "reasons",
      "render",
      "dialects",
      "retry",
      "sdk",
      "incidents",
      "platform",
    ],
    telemetry: ["wire", "fault", "incidents"],
    // A door for programs between a client and a server: names only.
    proxy: ["errors", "safety", "fault", "reasons", "dialects", "schema", "sdk", "incidents", "server", "client"],
  },
  pure: [
    ...["errors", "safety", "fault", "reasons", "render", "dialects", "schema", "retry"],
    ...["bytes", "headers", "host", "json", "lines", "message", "message-outline", "names", "revisions"].map(
      (name) => `wire/${name}.ts`,
    ),
    ...["sse", "unseen"].map((name) => `wire/${name}.ts`),
  ],
  // An id is one of ours only if its time is not ahead.
  clocks: ["safety/own-ids.ts"],
  // The library has no dependencies of others.
  outside: { "wire/node/": /^node:/ },
};

/** What users import: names of the core, and nothing of its own. */
const FAULTS: Package = { src: "packages/faults/src", folders: {}, pure: [], outside: { "": /^@recourse\/core/ } };
const DIALECTS: Package = { ...FAULTS, src: "packages/dialects/src" };

const EXPLAIN: Package = {
  src: "packages/explain/src",
  folders: { data: ["doc.ts"], paste: ["data", "doc.ts", "brief.ts"], log: ["data", "paste", "doc.ts"] },
  pure: ["data", "paste", "log"],
  // Samples of code that a reader copies are what users import.
  outside: { "": /^@recourse\/core/, "data/": /^@recourse\/faults\/server$/ },
};

const TESTING: Package = {
  src: "packages/testing/src",
  folders: { corpora: [], generators: ["corpus.ts"], peer: [] },
  pure: ["corpus.ts", "generators"],
  // The misbehaving peer is a server of its own, behind a door of its own.
  outside: { "": /^@recourse\/core/, "peer/": /^node:/ },
};

const BRIDGE: Package = {
  src: "packages/bridge/src",
  folders: {
    document: [],
    operations: ["document", "sdk.ts"],
    request: ["document", "operations"],
    network: ["request"],
    reply: ["document", "operations", "network"],
    credentials: ["document", "operations", "request", "network", "reply"],
    api: ["document", "operations", "request", "network", "reply", "credentials", "sdk.ts"],
    adapters: ["sdk.ts"],
  },
  pure: ["operations"],
  outside: { "": /^node:|^@recourse\/core|^undici$|^yaml$/, "credentials/": /^oauth4webapi$/ },
};

const STORES: Package = {
  src: "packages/stores/src",
  folders: { shared: [], postgres: ["shared"], redis: ["shared"] },
  pure: [],
  // The drivers are given by the user, and known by their form only.
  outside: { "": /^@recourse\/core/ },
};

const CLI: Package = {
  src: "packages/cli/src",
  folders: {
    recording: [],
    // What words mean in names and answers of servers, in any language: for those who ask and for those who judge.
    words: [],
    terminal: [],
    program: ["terminal"],
    platform: [],
    wire: ["recording", "platform"],
    gather: ["recording", "words", "platform", "wire", "program"],
    checks: ["recording", "words"],
    fixes: ["recording", "checks"],
    report: ["recording", "checks", "fixes", "terminal"],
    judge: ["recording", "checks", "fixes", "report"],
    doctor: ["recording", "platform", "wire", "program", "terminal"],
    hosts: ["doctor", "platform", "program", "terminal"],
    admin: ["recording", "wire", "program", "terminal"],
    peer: ["program", "terminal"],
    demo: ["terminal", "program"],
    explain: ["terminal", "program", "checks", "doctor"],
    decode: ["terminal", "program", "recording", "explain"],
    incident: ["terminal", "program", "admin", "explain", "decode"],
    conformance: ["terminal", "program"],
    commands: [
      "program",
      "terminal",
      "platform",
      "recording",
      "wire",
      "gather",
      "checks",
      "judge",
      "report",
      "doctor",
      "hosts",
      "peer",
      "demo",
      "explain",
      "admin",
      "decode",
      "incident",
      "conformance",
    ],
  },
  // Judging a recording twice gives the same verdict, on any machine.
  pure: ["recording", "words", "checks", "fixes", "judge"],
  outside: {
    "": /^node:|^@recourse\/(?:core|explain|testing\/peer)/,
    // Samples of code that a reader copies.
    "checks/": /^@recourse\/faults/,
    "fixes/": /^@recourse\/faults/,
    "gather/": /^@cfworker\/json-schema$/,
    "commands/": /^@recourse\/gateway\/commands$/,
    "demo/": /^@modelcontextprotocol\/(?:server|client)/,
  },
};

/**
 * The rooms of the gateway, and the files that put them together, in the order in which they rest on each other: each imports
 * only what stands before it. A call is described first, what serves one follows, the pipeline comes after all rooms.
 */
export const GATEWAY_ORDER: readonly string[] = [
  "config",
  "call",
  "stores",
  "limits",
  "upstreams",
  "auth",
  "sessions",
  "tasks",
  "catalog",
  "approvals",
  "idempotency",
  "rounds",
  "judge",
  "questions",
  "breaker",
  "incidents",
  "counts",
  "telemetry",
  "changes",
  "edge",
  "controls.ts",
  "schema-parts.ts",
  "console",
  "admin",
  "answer",
  "pipeline",
  "generation.ts",
  "gateway.ts",
  "commands",
];

const GATEWAY: Package = {
  src: "packages/gateway/src",
  folders: inOrder(GATEWAY_ORDER),
  pure: [],
  outside: {
    "": /^node:|^@recourse\/(?:core|explain|bridge|stores)/,
    // Calls need neither: the file is read at the start, and operators have an address of their own.
    "config/": /^(?:yaml|zod)$/,
    "admin/": /^(?:hono(?:\/http-exception)?|@hono\/(?:node-server|zod-openapi))$/,
    "auth/": /^jose$/,
    "upstreams/": /^(?:undici|oauth4webapi)$/,
    "stores/": /^(?:pg|@redis\/client)$/,
    "telemetry/": /^@opentelemetry\//,
  },
};

const IMPURE =
  /\b(?:process\.|Buffer\b|Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|setTimeout|console\.)/;

/** A revision's name as a whole literal: conditions ask the predicates of `packages/core/src/wire/revisions.ts` instead. */
const REVISION_DATE = /"(?:2024-11-05|2025-03-26|2025-06-18|2025-11-25|2026-07-28)"/;

/** Sentences and samples may speak of what the code must not use. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The console is built into the gateway's package, and takes the types of its answers from the schemas of the API. */
const CONSOLE_TYPES = "packages/console/src/api/types.ts";

if (import.meta.main) report();

function report(): void {
  const problems = [CORE, FAULTS, DIALECTS, EXPLAIN, TESTING, BRIDGE, STORES, CLI, GATEWAY].flatMap((one) => [
    ...privateDoors(dirname(one.src)),
    ...globSync(`${one.src}/**/*.ts`)
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) => problemsOf(file, one)),
  ]);
  problems.push(...globSync("packages/*/{src,test}/**/*.{ts,tsx}").flatMap(relativeImportsOutside));
  console.log(problems.length === 0 ? "imports ok" : problems.join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** What another package needs is public API: no package has an entry point that only its neighbours may use. */
function privateDoors(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports?: object };
  const found = Object.keys(exports ?? {}).filter((door) => /internal|private|do-not/.test(door));
  return found.map((door) => `${folder}/package.json: ${door} is a private entry point`);
}

/** Each may import what stands before it. */
function inOrder(names: readonly string[]): Package["folders"] {
  return Object.fromEntries(names.map((name, index) => [name, names.slice(0, index)]));
}

/** Imports of a file, tests included, that reach into another package by a path. What tests share is in packages/test-kit. */
function relativeImportsOutside(file: string): string[] {
  const [, own = ""] = /^packages\/([^/]+)\//.exec(file) ?? [];
  if (file === CONSOLE_TYPES && !/^import (?!type )/m.test(readFileSync(file, "utf8"))) return [];
  return [...readFileSync(file, "utf8").matchAll(/\bfrom\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g)]
    .map(([, named, loaded]) => normalize(join(dirname(file), named ?? loaded ?? "")))
    .filter((target) => /^(?:packages|reference)\//.test(target) && !target.startsWith(`packages/${own}/`))
    .map((target) => `${file}: imports ${target} by its path`);
}

function problemsOf(file: string, one: Package): string[] {
  const inside = file.slice(one.src.length + 1);
  const folder = inside.split("/")[0] ?? "";
  const code = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const found: string[] = [];
  if (/^export \* from/m.test(code)) found.push("export * from");
  const [date] = REVISION_DATE.exec(code) ?? [];
  const mayName = file === "packages/core/src/wire/revisions.ts" || one.src === "packages/testing/src";
  if (date !== undefined && !mayName) found.push(`names the revision ${date}`);
  const [impure] = IMPURE.exec(code.replaceAll(QUOTED, insertions)) ?? [];
  const mayRead = impure === "Date.now" && one.clocks?.includes(inside) === true;
  if (one.pure.some((path) => inside === path || inside.startsWith(`${path}/`)) && impure !== undefined && !mayRead)
    found.push(`${impure} in a pure folder`);
  // What lies beside the folders puts them together.
  const allowed = folder.endsWith(".ts") ? undefined : (one.folders[folder] ?? []);
  if (allowed !== undefined && one.folders[folder] === undefined) found.push(`${folder} is not in the table`);
  for (const [, named, loaded] of code.matchAll(/\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/g)) {
    const from = named ?? loaded ?? "";
    const outside = !from.startsWith(".");
    if (outside && !Object.entries(one.outside).some(([at, names]) => inside.startsWith(at) && names.test(from)))
      found.push(`imports ${from}`);
    if (/^@recourse\/[^/]+\/.*internal/.test(from)) found.push(`a private door: ${from}`);
    if (outside) continue;
    const target = normalize(join(dirname(file), from)).slice(one.src.length + 1);
    const [to = ""] = target.split("/");
    if (allowed !== undefined && to !== folder && !allowed.includes(to)) found.push(`${folder} may not import ${to}`);
    if (one === CORE && target.startsWith("wire/node/") && !inside.startsWith("wire/node/"))
      found.push("only Node may need wire/node/");
    if (one === CORE && isOtherDialect(inside, target)) found.push(`a dialect may not import another: ${target}`);
  }
  return found.map((what) => `${file}: ${what}`);
}

/** The code within a template literal; nothing of a plain string. */
function insertions(text: string): string {
  return text.startsWith('"') ? "" : [...text.matchAll(/\$\{[^}]*\}/g)].join(" ");
}

/** One folder per wire: what dialects share lies beside the folders, never in one of them. */
function isOtherDialect(inside: string, target: string): boolean {
  const [from, dialect = ""] = inside.split("/");
  const [to, other = ""] = target.split("/");
  if (from !== "dialects" || to !== "dialects") return false;
  return !dialect.endsWith(".ts") && !other.endsWith(".ts") && other !== dialect;
}
