// The public entry points of the published packages, each with a sentence about it.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { ROOT } from "../content/sources.ts";

/** A module that users can import. */
export interface EntryPoint {
  /** What an import names: `@recourse/faults/server`. */
  readonly name: string;
  /** From the root of the repository: `packages/core/src/server/index.ts`. */
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
  "@recourse/dialects/closient": "Read and write the error format of Closient.",
  "@recourse/dialects/erlmcp": "Read and write the error format of erlmcp.",
  "@recourse/dialects/onx": "Read and write the error format of onX.",
  "@recourse/dialects/platica": "Read and write the error format of Platica.",
  "@recourse/dialects/qaqnuz": "Read and write the error format of qaqnuz.",
  "@recourse/explain": "The documentation of reasons, kinds, codes and causes as data.",
  "@recourse/faults": "Faults, reasons and rendering: say what went wrong, and read what others said.",
  "@recourse/faults/client": "Call a server, retry safely, and get one typed outcome for each call.",
  "@recourse/faults/dialects": "Read and write the error formats of MCP, of HTTP, of the SDKs and of plain text.",
  "@recourse/faults/reasons": "The reasons of the library, by what they are about.",
  "@recourse/faults/server": "Guard a server of the official SDK, its HTTP edge and its pipes.",
  "@recourse/faults/telemetry": "Traces and metrics for OpenTelemetry, and attributes of faults for any other library.",
  "@recourse/gateway": "Start a gateway from your own program.",
  "@recourse/gateway/commands": "What the command line calls: `recourse serve`, `recourse init` and `recourse keys`.",
  "@recourse/stores/postgres": "Share idempotency keys between processes in PostgreSQL.",
  "@recourse/stores/redis": "Share idempotency keys and limits between processes in Redis.",
  "@recourse/testing": "Texts that must not reach a caller, texts that must, a check, and generators for your tests.",
  "@recourse/testing/peer": "An MCP server that misbehaves on demand, for tests of clients, gateways and agents.",
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
      // The core has no stability promise.
      if (manifest.private === true || manifest.name === "@recourse/core") return [];
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
