/** A place in the file: lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Keys and indexes from the root of the file to a value. */
export type Path = readonly (string | number)[];

/** Something in the file that is wrong, or that deserves a warning. It never holds a value of the file or a variable. */
export interface Problem extends Position {
  /** The option, such as `upstreams.shop.url`; empty for the file as a whole. */
  readonly path: string;
  /** One sentence without the option in front. */
  readonly message: string;
  /** What to do, as one sentence. */
  readonly fix?: string;
}

/** `upstreams.shop.url`, `keys[0].id`. */
export function pathText(path: Path): string {
  return path.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");
}

/** One line for a problem: `gateway.yaml:12:7 upstreams.shop.url: expected a URL with http or https. Fix.` */
export function problemLine(file: string, { line, column, path, message, fix }: Problem): string {
  const place = path === "" ? "" : `${path}: `;
  return `${file}:${line}:${column} ${place}${message}${fix === undefined ? "" : ` ${fix}`}`;
}
