// The program that every runtime runs. It uses nothing that only one of them has.
import { makeCalls, type Row } from "./calls.ts";
import type { SdkVersion } from "./client.ts";
import { importEntries } from "./entries.ts";
import { type Broken, breakKept, type Loss, loseCalls } from "./losses.ts";
import { runVectors, type VectorFile, type VectorResult } from "./vectors.ts";

export interface Input {
  /** Address of a server, without the path. */
  readonly base: string;
  /** Bad addresses by name. `refused` is one where nobody listens. */
  readonly bad: Readonly<Record<string, string>> & { readonly refused: string };
  /** Address that starts servers whose kept connections break. */
  readonly fragile: string;
  readonly vectors: readonly VectorFile[];
}

export interface Report {
  readonly calls: Readonly<Record<SdkVersion, readonly Row[]>>;
  readonly losses: Readonly<Record<SdkVersion, readonly Loss[]>>;
  readonly broken: Broken;
  readonly vectors: VectorResult;
  readonly entries: Readonly<Record<string, number | string>>;
}

/** Runs everything in this runtime, against the server at `base`. */
export async function runProgram({ base, bad, fragile, vectors }: Input): Promise<Report> {
  const to = (sdk: SdkVersion) => ({ url: `${base}/${sdk}`, sdk });
  return {
    calls: { v1: await makeCalls(to("v1"), bad.refused), v2: await makeCalls(to("v2"), bad.refused) },
    losses: { v1: await loseCalls(to("v1"), bad), v2: await loseCalls(to("v2"), bad) },
    broken: await breakKept(to("v2"), fragile),
    vectors: await runVectors(vectors),
    entries: await importEntries(),
  };
}
