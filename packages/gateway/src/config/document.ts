import { toLine } from "@recourse/core/safety";
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

import type { SecretFileValue } from "./secret-files.ts";

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

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the values of `${…}` come from. */
export interface ValueSources {
  readonly environment: Environment;
  /** Reads the file of `${file:…}`. */
  readonly readFile: (path: string) => SecretFileValue;
}

/** A file that was parsed: its data, and the places of everything in it. */
export interface ConfigDocument {
  /** The file as plain data, with variables put in. What could not be read is undefined. */
  readonly value: unknown;
  /** Variables that are missing, and aliases that cannot be followed. */
  readonly problems: readonly Problem[];
  /** Where an option is written: its name, or an item of a list; undefined if it is not. */
  find(path: Path): Position | undefined;
  /** Where the value of an option is written. */
  findValue(path: Path): Position | undefined;
  /** The same scalar, read as a text or read as a number or a switch; undefined if it has no other reading. */
  readAs(path: Path, type: "string" | "other"): unknown;
}

const START: Position = { line: 1, column: 1 };
/** A file of a gateway has some kilobytes. */
const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 100;
/** Of the path of a file in a problem. */
const MAX_PATH = 200;
/** Values of a file with all its aliases followed. */
const MAX_VALUES = 200_000;

/** Parses YAML. The texts of the parser may quote the file, so only the part before a quotation is used. */
export function parseYaml(text: string, sources: ValueSources): ConfigDocument | readonly Problem[] {
  if (text.length > MAX_CHARACTERS)
    return [{ ...START, path: "", message: "The file is larger than 1 MiB.", fix: "Check that it is the right file." }];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent", merge: false });
  const position = (offset: number | undefined): Position => {
    if (offset === undefined) return START;
    const { line, col } = lines.linePos(offset);
    return line === 0 ? START : { line, column: col };
  };
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return firstOfEachLine(errors.map((error) => yamlProblem(error, position(error.pos[0]))));

  const problems: Problem[] = [];
  const filled = new Set<string>();
  let [aliases, values] = [0, 0];
  return { value: read(document.contents, []), problems, find, findValue, readAs };

  function read(written: Node | null, path: Path): unknown {
    values += 1;
    const node = followed(written);
    if (isAlias(node)) return report(written, path, "This alias leads nowhere.");
    if (isMap(node)) {
      const members = node.items.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : "";
        const at = [...path, name];
        // Schemas pass over this name, whatever it holds.
        if (name === "__proto__") return [name, report(key as Node, at, "there is no such option.")];
        return [name, read(value as Node | null, at)];
      });
      return Object.fromEntries(members);
    }
    if (isSeq(node)) return node.items.map((item, at) => read(item as Node, [...path, at]));
    const value = isScalar(node) ? node.value : null;
    return typeof value === "string" ? fill(value, node, path) : value;
  }

  /** What an alias stands for; the alias itself if there are too many. */
  function followed(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    aliases += 1;
    return aliases > MAX_ALIASES || values > MAX_VALUES ? node : (node.resolve(document) ?? node);
  }

  function fill(value: string, node: Node | null, path: Path): unknown {
    const { text: full, hasPlaces, problems: found } = fillPlaces(value, sources);
    if (hasPlaces) filled.add(JSON.stringify(path));
    for (const { message, fix } of found) report(node, path, message, fix);
    return found.length > 0 ? undefined : full;
  }

  function report(node: Node | null, path: Path, message: string, fix?: string): undefined {
    const place = position(node?.range?.[0]);
    problems.push({ ...place, path: pathText(path), message, ...(fix !== undefined && { fix }) });
  }

  function find(path: Path): Position | undefined {
    const last = path.at(-1);
    if (last === undefined) return findValue(path);
    const item = memberOf(nodeAt(path.slice(0, -1)), last);
    return item === undefined ? undefined : position(((isPair(item) ? item.key : item) as Node).range?.[0]);
  }

  function findValue(path: Path): Position | undefined {
    const node = nodeAt(path);
    return node === undefined ? undefined : position(node?.range?.[0]);
  }

  function nodeAt(path: Path): Node | null | undefined {
    let node: Node | null | undefined = document.contents;
    for (const key of path) {
      const item = memberOf(node, key);
      const value = (isPair(item) ? item.value : item) as Node | null | undefined;
      node = isAlias(value) ? value.resolve(document) : value;
    }
    return node;
  }

  function readAs(path: Path, type: "string" | "other"): unknown {
    const node = nodeAt(path);
    if (!isScalar(node)) return undefined;
    // `tenant: 42` and a hash of digits are texts, if a text is expected.
    if (type === "string") return typeof node.value === "number" ? node.source : undefined;
    // Variables are texts; if a number or a switch is expected, they are read as one.
    if (!filled.has(JSON.stringify(path))) return undefined;
    const { text: full } = fillPlaces(String(node.value), sources);
    if (/^-?\d+(?:\.\d+)?$/.test(full)) return Number(full);
    return full === "true" || full === "false" ? full === "true" : undefined;
  }
}

function yamlProblem(error: { readonly code: string; readonly message: string }, position: Position): Problem {
  const [said = ""] = error.message.split(/: |"/);
  const message = error.code === "DUPLICATE_KEY" ? "This key is written twice." : `This is not valid YAML: ${said}.`;
  return { ...position, path: "", message, ...(error.code === "TAB_AS_INDENT" && { fix: "Indent with spaces." }) };
}

/** One mistake makes several errors in a row. */
function firstOfEachLine(problems: readonly Problem[]): readonly Problem[] {
  const lines = new Map<number, Problem>();
  for (const problem of problems) if (!lines.has(problem.line)) lines.set(problem.line, problem);
  return [...lines.values()].toSorted((a, b) => a.line - b.line);
}

function memberOf(node: unknown, key: string | number): unknown {
  if (isMap(node)) return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
  return isSeq(node) ? node.items[Number(key)] : undefined;
}

/** A text with its variables and files put in. */
interface FilledText {
  readonly text: string;
  /** Whether there was a `${…}` in it. */
  readonly hasPlaces: boolean;
  readonly problems: readonly Required<Pick<Problem, "message" | "fix">>[];
}

/** `$${` stands for `${` itself; `${NAME}` and `${NAME:-default}` for a variable, `${file:path}` for what a file holds. */
const PLACE = /\$(\$\{)|\$\{([^}]*)\}/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const SECRET_FILE = /^file:(?!-)([\s\S]*)$/;
const BAD_PLACE = {
  message: `the text between \${ and } is not the name of a variable.`,
  fix: `Write \${NAME}, \${NAME:-default} or \${file:path}, and $\${ for the text \${ itself.`,
};
const FILE_DEFAULT = {
  message: "a file has no default.",
  fix: `Write \${file:path} with the path alone.`,
};

/** Puts variables and files into a text. An empty variable counts as missing, as it does in a shell. */
export function fillPlaces(text: string, { environment, readFile }: ValueSources): FilledText {
  const problems: FilledText["problems"][number][] = [];
  let hasPlaces = false;
  let filled = "";
  let end = 0;
  for (const { 0: place, 1: escaped, 2: inside = "", index } of text.matchAll(PLACE)) {
    filled += text.slice(end, index);
    end = index + place.length;
    hasPlaces ||= escaped === undefined;
    filled += escaped ?? placeValue(inside, end);
  }
  return { text: filled + text.slice(end), hasPlaces, problems };

  function placeValue(inside: string, rest: number): string {
    const [, path] = SECRET_FILE.exec(inside) ?? [];
    if (path !== undefined) return fileValue(path, rest);
    const [, name, byDefault] = VARIABLE.exec(inside) ?? [];
    if (name === undefined) return refuse(BAD_PLACE);
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value !== undefined && value !== "") return value;
    return (
      byDefault ??
      refuse({ message: `the variable ${name} is not set.`, fix: `Set it, or write a default: \${${name}:-…}.` })
    );
  }

  function fileValue(path: string, rest: number): string {
    if (path === "") return refuse(BAD_PLACE);
    if (path.includes(":-")) return refuse(FILE_DEFAULT);
    const read = readFile(path);
    if (!("value" in read))
      return refuse({ message: `the file ${toLine(path, MAX_PATH)} ${read.problem}`, fix: read.fix });
    return isInUserInfo(filled, text.slice(rest)) ? encodeURIComponent(read.value) : read.value;
  }

  function refuse(problem: (typeof problems)[number]): string {
    problems.push(problem);
    return "";
  }
}

/** Whether the user or the password of a URL stands between the two texts. There, characters such as `@` must be encoded. */
function isInUserInfo(before: string, after: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*$/i.test(before) && /^[^/?#]*@/.test(after.replaceAll(PLACE, ""));
}
