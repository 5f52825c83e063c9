import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { Path, Position, Problem } from "./problem.ts";

/** A file that was parsed, with the places of everything in it. */
export interface ConfigDocument {
  readonly root: Node | null;
  /** What an alias stands for. */
  resolve(node: Node): Node | undefined;
  positionOf(node: Node | null | undefined): Position;
  /** Where an option is written; undefined where it is not. */
  find(path: Path): Position | undefined;
}

const START: Position = { line: 1, column: 1 };
/** A file of a gateway has some kilobytes. */
const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 100;

/** Parses YAML. The texts of the parser may quote the file, so only the part before a quotation is used. */
export function parseYaml(text: string): ConfigDocument | readonly Problem[] {
  if (text.length > MAX_CHARACTERS)
    return [{ ...START, path: "", message: "The file is larger than 1 MiB.", fix: "Check that it is the right file." }];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent", merge: false });
  const at = (offset: number | undefined): Position => {
    if (offset === undefined) return START;
    const { line, col } = lines.linePos(offset);
    return line === 0 ? START : { line, column: col };
  };
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return firstOfEachLine(errors.map((error) => yamlProblem(error, at(error.pos[0]))));
  let aliases = 0;
  const resolve = (node: Node): Node | undefined => {
    if (!isAlias(node)) return node;
    aliases += 1;
    return aliases > MAX_ALIASES ? undefined : node.resolve(document);
  };
  const positionOf = (node: Node | null | undefined) => at(node?.range?.[0]);
  return { root: document.contents, resolve, positionOf, find };

  function find(path: Path): Position | undefined {
    let node: unknown = document.contents;
    let found: Position | undefined = positionOf(document.contents);
    for (const key of path) {
      const item = memberOf(isAlias(node) ? node.resolve(document) : node, key);
      if (item === undefined) return undefined;
      found = positionOf((isPair(item) ? item.key : item) as Node);
      node = isPair(item) ? item.value : item;
    }
    return found;
  }
}

function yamlProblem(error: { readonly code: string; readonly message: string }, position: Position): Problem {
  const [said = ""] = error.message.split(/: |"/);
  const message = error.code === "DUPLICATE_KEY" ? "This key is written twice." : `This is not valid YAML: ${said}.`;
  return {
    ...position,
    path: "",
    message,
    ...(error.code === "TAB_AS_INDENT" ? { fix: "Indent with spaces." } : {}),
  };
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
