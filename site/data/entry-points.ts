// The public entry points of the published packages, each with a sentence about it.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { ROOT } from "../content/sources.ts";

/** A module that users can import. */
export interface EntryPoint {
  /** What an import names: `@recourse/faults/server`. */
  readonly name: string;
  /** From the root of the repository: `packages/faults/src/server/index.ts`. */
  readonly source: string;
  /** `/reference/api/faults/server/`. */
  readonly address: string;
  readonly description: string;
}

/** A published package. */
export interface PublishedPackage {
  readonly name: string;
  readonly description: string;
  readonly entryPoints: readonly EntryPoint[];
}

/** What each entry point is for. A test compares it with the packages. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "@recourse/bridge": "Turn a REST API or an adapter of your own into MCP tools.",
  "@recourse/faults": "Faults, reasons and rendering: say what went wrong, and read what others said.",
  "@recourse/faults/client": "Call a server, retry safely, and get one typed outcome for each call.",
  "@recourse/faults/dialects": "Read and write the error formats of MCP, HTTP and five systems.",
  "@recourse/faults/explain": "The documentation of reasons, kinds, codes and causes as data.",
  "@recourse/faults/proxy": "For gateways, bridges and adapters: read what one side sent, and answer the other.",
  "@recourse/faults/retry": "Decide whether, when and how often a failed call is made again.",
  "@recourse/faults/safety": "Keep secrets, personal data and instructions to a model out of texts.",
  "@recourse/faults/schema": "Check arguments against a JSON Schema in bounded time.",
  "@recourse/faults/server": "Guard a server of the official SDK, its HTTP edge and its pipes.",
  "@recourse/faults/telemetry": "Traces and metrics for OpenTelemetry, and attributes of faults for any other library.",
  "@recourse/gateway": "Start a gateway from your own program.",
  "@recourse/gateway/commands": "What the command line calls: `recourse serve`, `recourse init` and `recourse keys`.",
  "@recourse/stores/postgres": "Share idempotency keys between processes in PostgreSQL.",
  "@recourse/stores/redis": "Share idempotency keys and limits between processes in Redis.",
  "@recourse/testing": "Texts that must not reach a caller, texts that must, a check, and generators for your tests.",
  "@recourse/testing/peer": "An MCP server that misbehaves on demand, for tests of clients, gateways and agents.",
  "@recourse/wire": "MCP on the wire: revisions, messages, headers, JSON, event streams, lines.",
  "@recourse/wire/node": "Child processes and edits of JSON text, for Node.",
};

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly "@recourse/source"?: string }>>;
}

/** Reads the packages that users can import from, in the order of their names. */
export function readPackages(root = ROOT): readonly PublishedPackage[] {
  return globSync("packages/*/package.json", { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
      if (manifest.private === true) return [];
      const entryPoints = readEntryPoints(manifest, dirname(file));
      return entryPoints.length === 0 ? [] : [{ name: manifest.name, description: manifest.description, entryPoints }];
    });
}

function readEntryPoints({ name, exports = {} }: Manifest, folder: string): readonly EntryPoint[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@recourse/source"];
    if (source === undefined) return [];
    const importName = posix.join(name, path);
    return [
      {
        name: importName,
        source: posix.join(folder, source),
        address: `/reference/api/${importName.replace(/^@recourse\//, "")}/`,
        description: DESCRIPTIONS[importName] ?? "",
      },
    ];
  });
}
