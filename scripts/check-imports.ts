// Fails when a folder of a package imports one that it must not know. The tables are the architecture.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

interface Package {
  readonly src: string;
  /** What each folder may import, itself apart. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Folders that must run anywhere: no platform module, clock, randomness or environment. */
  readonly pure: readonly string[];
  /** Files of these folders that read the clock all the same. */
  readonly clocks?: readonly string[];
  /** What may be imported from outside of the package, by the beginning of the file's path. */
  readonly outside: Readonly<Record<string, RegExp>>;
}

const FAULTS: Package = {
  src: "packages/faults/src",
  folders: {
    json: [],
    errors: ["json"],
    async: [],
    safety: ["json"],
    fault: ["json", "safety"],
    platform: ["fault"],
    sdk: ["json", "errors", "safety"],
    reasons: ["json", "errors", "safety", "fault", "sdk"],
    render: ["safety", "fault", "reasons"],
    dialects: ["json", "errors", "safety", "fault", "reasons", "render", "sdk"],
    explain: ["fault", "reasons", "render"],
    schema: ["safety", "fault"],
    retry: ["async", "json", "safety", "fault", "reasons"],
    incidents: ["errors", "safety", "fault", "render", "platform"],
    server: [
      "async",
      "json",
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
      "async",
      "json",
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
    telemetry: ["json", "fault", "incidents"],
    testing: ["async", "json", "safety", "fault", "reasons", "render", "dialects", "server"],
  },
  pure: ["json", "errors", "async", "safety", "fault", "reasons", "render", "dialects", "explain", "schema", "retry"],
  // An id is one of ours only if its time is not ahead.
  clocks: ["safety/own-ids.ts"],
  // The library has no dependencies; the misbehaving peer is a server of its own, behind a door of its own.
  outside: { "testing/peer/": /^node:/ },
};

const BRIDGE: Package = {
  src: "packages/bridge/src",
  folders: {
    document: [],
    operations: ["library-reasons.ts", "document"],
    request: ["document", "operations"],
    network: ["request"],
    reply: ["document", "operations", "network"],
    credentials: ["document", "operations", "request", "network", "reply"],
    sdk: ["document"],
    api: ["library-reasons.ts", "document", "operations", "request", "network", "reply", "credentials", "sdk"],
    adapters: ["library-reasons.ts", "sdk"],
  },
  pure: ["operations"],
  outside: { "": /^node:|^@recourse\/faults|^undici$|^yaml$/ },
};

const STORES: Package = {
  src: "packages/stores/src",
  folders: { shared: [], postgres: ["shared"], redis: ["shared"] },
  pure: [],
  // The drivers are given by the user, and known by their form only.
  outside: { "": /^@recourse\/faults/ },
};

const CLI: Package = {
  src: "packages/cli/src",
  folders: {
    recording: [],
    terminal: [],
    program: ["terminal"],
    platform: [],
    wire: ["recording", "platform"],
    gather: ["recording", "wire"],
    checks: ["recording"],
    report: ["recording", "checks", "terminal"],
    judge: ["recording", "checks", "report"],
    doctor: ["recording", "wire", "platform", "program"],
    peer: ["program", "terminal"],
    demo: ["terminal", "program"],
    explain: ["terminal", "program", "checks", "doctor"],
    decode: ["terminal", "program", "recording", "explain"],
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
      "peer",
      "demo",
      "explain",
      "decode",
    ],
  },
  // Judging a recording twice gives the same verdict, on any machine.
  pure: ["recording", "checks", "judge"],
  outside: {
    "": /^node:|^@recourse\/faults/,
    "gather/": /^@cfworker\/json-schema$/,
    "commands/gateway/": /^@recourse\/gateway\/commands$/,
    "demo/": /^@modelcontextprotocol\/(?:server|client)/,
  },
};

const GATEWAY: Package = {
  src: "packages/gateway/src",
  folders: {
    config: [],
    json: [],
    shares: [],
    // The types of one call stand in `pipeline/call.ts`; every folder that has a step knows them.
    edge: ["json", "config", "pipeline", "telemetry", "auth", "incidents"],
    auth: ["config", "edge", "telemetry", "stores"],
    catalog: ["json", "config", "auth", "edge", "shares", "upstreams", "pipeline", "telemetry"],
    upstreams: ["json", "config", "edge", "shares", "telemetry", "stores"],
    limits: ["config", "catalog", "pipeline", "telemetry", "stores"],
    breaker: ["config", "auth", "stores", "telemetry"],
    approvals: ["config", "auth", "catalog", "edge", "stores", "telemetry"],
    bound: ["json", "config", "auth", "approvals", "pipeline", "stores", "telemetry"],
    rounds: ["json", "auth", "bound", "edge", "pipeline", "stores"],
    judge: ["json", "config", "edge", "pipeline", "upstreams", "catalog", "telemetry"],
    stores: ["config", "telemetry"],
    telemetry: ["config", "pipeline", "incidents"],
    incidents: ["config", "stores", "telemetry"],
    pipeline: [
      "config",
      "edge",
      "auth",
      "catalog",
      "limits",
      "shares",
      "breaker",
      "approvals",
      "bound",
      "rounds",
      "upstreams",
      "judge",
      "telemetry",
    ],
    audit: ["stores"],
    admin: [
      "config",
      "edge",
      "auth",
      "catalog",
      "stores",
      "approvals",
      "breaker",
      "incidents",
      "audit",
      "telemetry",
      "controls.ts",
    ],
    commands: ["config", "auth", "catalog", "shares", "upstreams", "stores", "telemetry", "gateway.ts"],
  },
  pure: [],
  outside: {
    "": /^node:|^@recourse\/(?:faults|bridge|stores)/,
    "config/": /^yaml$/,
    "auth/": /^jose$/,
    "upstreams/": /^undici$/,
    "stores/": /^(?:pg|@redis\/client)$/,
    "telemetry/": /^@opentelemetry\//,
  },
};

const IMPURE =
  /\b(?:process\.|Buffer\b|Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|setTimeout|console\.)/;

/** Sentences and samples may speak of what the code must not use. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

const problems = [FAULTS, BRIDGE, STORES, CLI, GATEWAY].flatMap((one) =>
  globSync(`${one.src}/**/*.ts`)
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => problemsOf(file, one)),
);
console.log(problems.length === 0 ? "imports ok" : problems.join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(file: string, one: Package): string[] {
  const inside = file.slice(one.src.length + 1);
  const folder = inside.split("/")[0] ?? "";
  const code = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const found: string[] = [];
  if (/^export \* from/m.test(code)) found.push("export * from");
  const [impure] = IMPURE.exec(code.replaceAll(QUOTED, insertions)) ?? [];
  const mayRead = impure === "Date.now" && one.clocks?.includes(inside) === true;
  if (one.pure.includes(folder) && impure !== undefined && !mayRead) found.push(`${impure} in a pure folder`);
  // What lies beside the folders puts them together.
  const allowed = folder.endsWith(".ts") ? undefined : (one.folders[folder] ?? []);
  if (allowed !== undefined && one.folders[folder] === undefined) found.push(`${folder} is not in the table`);
  for (const [, named, loaded] of code.matchAll(/\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/g)) {
    const from = named ?? loaded ?? "";
    const outside = !from.startsWith(".");
    if (outside && !Object.entries(one.outside).some(([at, names]) => inside.startsWith(at) && names.test(from)))
      found.push(`imports ${from}`);
    if (outside || allowed === undefined) continue;
    const target = normalize(join(dirname(file), from)).slice(one.src.length + 1);
    const [to = ""] = target.split("/");
    if (to !== folder && !allowed.includes(to)) found.push(`${folder} may not import ${to}`);
    if (one === FAULTS && isOtherDialect(inside, target)) found.push(`a dialect may not import another: ${target}`);
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
