import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@recourse/core/wire";
import type { Level } from "./levels.ts";

/** One request to an implementation, and the answer that it has to give. */
export interface Vector {
  /** Unique among all vectors: `mcp/success#decode`. */
  readonly id: string;
  readonly level: Level;
  /** What it shows, in one line. */
  readonly about: string;
  readonly request: JsonObject & { readonly do: string };
  /** The member of the answer that is compared, and its value. */
  readonly answer: readonly [member: string, value: unknown];
}

/** One case in a file of `conformance/`. */
interface VectorCase {
  readonly id: string;
  readonly about: string;
  readonly context?: JsonObject;
  readonly [member: string]: unknown;
}

/** The requests of a case, by the folder of its file. Folders that are not named here are dialects. */
const CASE_READERS: Readonly<Record<string, (one: VectorCase) => readonly Vector[]>> = {
  render: (one) => [
    {
      id: `render/${one.id}`,
      level: "advisor",
      about: one.about,
      request: { do: "render", fault: one["fault"], ...(one.context && { context: one.context }) },
      answer: ["text", one["text"]],
    },
  ],
  decide: (one) => [
    {
      id: `decide/${one.id}`,
      level: "advisor",
      about: one.about,
      request: { do: "decide", situation: one["situation"] },
      answer: ["decision", one["decision"]],
    },
  ],
};

/** Folders without vectors. */
const OTHER_FOLDERS: readonly string[] = ["facts", "runs"];

/** Reads the vectors of a folder that is laid out as `conformance/` of the repository. */
export function collectVectors(folder: string): readonly Vector[] {
  return globSync(["*/*.json", "advice/*/*.json"], { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const name = basename(dirname(file));
      if (OTHER_FOLDERS.includes(name)) return [];
      const { cases } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly cases: VectorCase[] };
      return cases.flatMap(CASE_READERS[name] ?? ((one) => dialectVectors(name, one)));
    });
}

/** The file that the build writes beside the program. */
export const VECTORS_FILE = "vectors.json";

/** All vectors: from the file of the build, or from the folder of the repository if the sources are run. */
export function loadVectors(): readonly Vector[] {
  const built = fileURLToPath(new URL(`../${VECTORS_FILE}`, import.meta.url));
  if (existsSync(built)) return JSON.parse(readFileSync(built, "utf8")) as readonly Vector[];
  return collectVectors(fileURLToPath(new URL("../../../../conformance", import.meta.url)));
}

function dialectVectors(dialect: string, one: VectorCase): readonly Vector[] {
  const { about, context } = one;
  const backContext = (one["backContext"] as JsonObject | undefined) ?? context;
  const isMcp = dialect === "mcp";
  const decode: Vector = {
    id: `${dialect}/${one.id}#decode`,
    level: isMcp ? "reader" : "dialects",
    about,
    request: { do: "decode", dialect, wire: one["wire"], ...(context && { context }) },
    answer: ["fault", one["fault"]],
  };
  if (one["back"] === undefined) return [decode];
  const encode: Vector = {
    id: `${dialect}/${one.id}#encode`,
    level: isMcp ? "writer" : "dialects",
    about,
    request: { do: "encode", dialect, fault: one["fault"], ...(backContext && { context: backContext }) },
    answer: ["wire", one["back"]],
  };
  return [decode, encode];
}
