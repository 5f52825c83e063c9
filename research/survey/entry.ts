/** How the survey starts one server. `$DIR` stands for an empty folder of its own, `$PORT` for a free port. */
export interface Entry {
  /** What the row is about. */
  readonly group: Group;
  /** The package from npm, if it is one. */
  readonly package?: string;
  /** The folder that has the package installed. @default the one of the survey */
  readonly installedIn?: string;
  /** Whether the annotations of its tools are left out. @default false */
  readonly withoutAnnotations?: true;
  /** The program: for a package, its file; else a file of this repository. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** For servers over HTTP: what the server prints when it listens, with its address or nothing. */
  readonly listens?: RegExp;
  /** The path of the endpoint, where the server does not print it. */
  readonly path?: string;
  /** Headers of every request. */
  readonly headers?: readonly string[];
  /** It has a server of a supported SDK, so `research/survey/project/guard.ts` can guard it: it is probed guarded too. */
  readonly guardable?: true;
  /** Whether `research/survey/project/guard.ts` is loaded first. */
  readonly guarded?: true;
  /** The database that must not change. */
  readonly database?: string;
  /** Files that must exist before it starts, by path below `$DIR`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Known findings that a document forces, as a file of this repository. */
  readonly baseline?: string;
}

/**
 * What a row is about. Rules were written while looking at `public` servers; `held-out` ones were first probed afterwards. A `step`
 * is a server with `guard` alone: the first of the changes that a report asks for.
 */
export type Group = "bare" | "guarded" | "reference" | "public" | "held-out" | "step";
