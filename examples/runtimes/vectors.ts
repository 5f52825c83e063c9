// Decodes every conformance vector and encodes it again, as the tests of the repository do, with nothing but the library.
import { closient } from "@recourse/dialects/closient";
import { erlmcp } from "@recourse/dialects/erlmcp";
import { onx } from "@recourse/dialects/onx";
import { platica } from "@recourse/dialects/platica";
import { qaqnuz } from "@recourse/dialects/qaqnuz";
import * as shared from "@recourse/faults/dialects";

const DIALECTS = { ...shared, closient, erlmcp, onx, platica, qaqnuz } as unknown as Record<string, Dialect>;

interface Dialect {
  decode(wire: unknown, context?: object): unknown;
  encode?(fault: unknown, context?: object): unknown;
}

/** One file of vectors; its format is described in `conformance/README.md`. */
export interface VectorFile {
  readonly dialect: string;
  readonly cases: readonly {
    readonly id: string;
    readonly wire: unknown;
    readonly context?: object;
    readonly fault: unknown;
    readonly back?: unknown;
    readonly backContext?: object;
  }[];
}

/** What came of all vectors. */
export interface VectorResult {
  readonly count: number;
  /** Vectors that decode or encode to something else than their file says. */
  readonly wrong: readonly string[];
  /** SHA-256 of all that was decoded and encoded, byte by byte. */
  readonly digest: string;
}

/** Runs all vectors. */
export async function runVectors(files: readonly VectorFile[]): Promise<VectorResult> {
  const wrong: string[] = [];
  const results: string[] = [];
  for (const file of files) {
    const dialect = DIALECTS[file.dialect] as Dialect;
    for (const one of file.cases) {
      const fault = dialect.decode(one.wire, one.context) ?? null;
      const back = one.back === undefined ? undefined : dialect.encode?.(one.fault, one.backContext ?? one.context);
      const isRight =
        sorted(fault) === sorted(one.fault) && (one.back === undefined || sorted(back) === sorted(one.back));
      if (!isRight) wrong.push(`${file.dialect}/${one.id}`);
      results.push(JSON.stringify([fault, back]));
    }
  }
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(results.join("\n"))));
  const digest = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { count: results.length, wrong, digest };
}

/** JSON with sorted members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
