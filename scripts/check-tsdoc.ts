// Fails if a public name, or a member of a public interface, has no TSDoc; if an optional option has no `@default`; or
// if an entry point has no `@example`.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { coreDoor } from "./core-doors.ts";

/** Names whose hover shows how to use them. */
const ENTRY_POINTS = new Set([
  "guard",
  "guardHandler",
  "toNodeListener",
  "edgeErrorHandler",
  "guardStdin",
  "guardStdout",
  "guardTool",
  "declares",
  "memoryIdempotency",
  "postgresIdempotency",
  "redisIdempotency",
  "idempotencyStoreLaws",
  "combineSinks",
  "stderrSink",
  "loggerSink",
  "recourse",
  "observeTransport",
  "callWithRetry",
  "agentTools",
  "aiTools",
  "openapi",
  "defineAdapter",
  "defineReason",
  "defineReasons",
  "fail",
  "toFault",
  "render",
  "registerSecrets",
  "createRetryEngine",
  "decide",
  "explain",
  "detect",
  "closient",
  "erlmcp",
  "http",
  "mcp",
  "onx",
  "platica",
  "qaqnuz",
  "otelSink",
  "openTelemetry",
  "redactedError",
  "expectNoLeak",
  "generators",
  "misbehave",
]);
/** Interfaces whose optional members are options, with a default each. */
const OPTIONS = /(?:Options|Policy|Spec|Limits)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}
interface Declared {
  readonly file: string;
  readonly code: string;
  /** The statement, `export` included: a comment stands before it. */
  readonly statement: Node;
  readonly declaration: Node;
}

const problems: string[] = [];
let names = 0;
let members = 0;
const seen = new Set<string>();

for (const folder of [
  "packages/faults",
  "packages/dialects",
  "packages/explain",
  "packages/testing",
  "packages/bridge",
  "packages/stores",
  "packages/gateway",
]) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  for (const target of Object.values(exports)) {
    if (typeof target === "string") continue;
    checkDoor(join(folder, target["@recourse/source"] as string));
  }
}
console.log(`${names} public names, ${members} members, without documentation: ${problems.length}`);
if (problems.length > 0) console.log(problems.toSorted().join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;

function checkDoor(file: string): void {
  for (const node of bodyOf(file)) {
    if (node.type === "ExportAllDeclaration") checkModule(join(dirname(file), sourceOf(node) as string));
    if (node.type !== "ExportNamedDeclaration") continue;
    const from = sourceOf(node);
    for (const specifier of (node["specifiers"] as Node[]) ?? []) {
      const local = nameOf(specifier["local"] as Node);
      // What comes from another package is checked at its own door.
      const source = from === undefined ? undefined : sourceFile(file, from);
      if (source !== undefined) checkName(source, local, nameOf(specifier["exported"] as Node));
    }
    if (node["declaration"] !== null && node["declaration"] !== undefined) checkOwn(file, node);
  }
}

/** A module that is exported as a namespace: each of its exports is public. */
function checkModule(file: string): void {
  for (const node of bodyOf(file)) if (node.type === "ExportNamedDeclaration") checkOwn(file, node);
}

function checkOwn(file: string, statement: Node): void {
  const declaration = statement["declaration"] as Node | null;
  if (declaration === null) return;
  for (const name of namesOf(declaration)) {
    check(name, { file, code: codeOf(file), statement, declaration });
  }
}

function checkName(file: string, local: string, exported: string): void {
  const found = bodyOf(file).filter((node) => namesOf((node["declaration"] as Node | null) ?? node).includes(local));
  const [statement] = found;
  if (statement === undefined) {
    // The file passes it on from another one.
    const through = bodyOf(file).find((node) => exportsName(node, local) && sourceOf(node) !== undefined);
    if (through === undefined) problems.push(`${file}: ${local} is not found`);
    else if (through.type === "ExportAllDeclaration") checkModule(join(dirname(file), sourceOf(through) as string));
    else {
      const specifier = (through["specifiers"] as Node[]).find((one) => nameOf(one["exported"] as Node) === local);
      checkName(join(dirname(file), sourceOf(through) as string), nameOf(specifier?.["local"] as Node), exported);
    }
    return;
  }
  const declaration = (statement["declaration"] as Node | null) ?? statement;
  check(exported, { file, code: codeOf(file), statement, declaration });
}

function check(name: string, declared: Declared): void {
  const key = `${declared.file} ${name}`;
  if (seen.has(key)) return;
  seen.add(key);
  names += 1;
  const doc = docBefore(declared.code, declared.statement.start);
  if (doc === undefined) problems.push(`${key}: no TSDoc`);
  else if (ENTRY_POINTS.has(name) && isValue(declared.declaration) && !doc.includes("@example"))
    problems.push(`${key}: no @example`);
  const isOptions = OPTIONS.test(name);
  for (const member of membersOf(declared.declaration)) checkMember(member, declared, name, isOptions);
}

function checkMember(member: Node, { file, code }: Declared, owner: string, isOptions: boolean): void {
  const key = nameOf(member["key"] as Node);
  const doc = docBefore(code, member.start);
  members += 1;
  if (doc === undefined) problems.push(`${file} ${owner}.${key}: no TSDoc`);
  else if (isOptions && member["optional"] === true && !doc.includes("@default"))
    problems.push(`${file} ${owner}.${key}: no @default`);
}

function membersOf(declaration: Node): Node[] {
  const body = declaration["body"] as Node | undefined;
  if (declaration.type === "TSInterfaceDeclaration") {
    return ((body?.["body"] ?? []) as Node[]).filter((one) =>
      ["TSPropertySignature", "TSMethodSignature"].includes(one.type),
    );
  }
  return [];
}

function isValue(declaration: Node): boolean {
  return !["TSInterfaceDeclaration", "TSTypeAliasDeclaration"].includes(declaration.type);
}

/** The TSDoc right before a node; comments for bundlers and linters may stand between. */
function docBefore(code: string, start: number): string | undefined {
  let head = code.slice(0, start).trimEnd();
  for (;;) {
    const before = head.replace(/(?:\/\*\s*@__\w+\s*\*\/|\/\/ biome-ignore[^\n]*)$/, "").trimEnd();
    if (before === head) break;
    head = before;
  }
  if (!head.endsWith("*/")) return undefined;
  const comment = head.slice(head.lastIndexOf("/*"));
  return comment.startsWith("/**") ? comment : undefined;
}

function namesOf(node: Node): string[] {
  if (node.type === "VariableDeclaration") {
    return (node["declarations"] as Node[]).map((one) => nameOf(one["id"] as Node));
  }
  return node["id"] === null || node["id"] === undefined ? [] : [nameOf(node["id"] as Node)];
}

/** The file behind an import: a neighbour, or a door of the core, which is not checked by itself. */
function sourceFile(file: string, from: string): string | undefined {
  return from.startsWith(".") ? join(dirname(file), from) : coreDoor(from)?.source;
}

function exportsName(node: Node, name: string): boolean {
  if (node.type === "ExportAllDeclaration") return nameOf((node["exported"] as Node | null) ?? node) === name;
  if (node.type !== "ExportNamedDeclaration") return false;
  return ((node["specifiers"] as Node[]) ?? []).some((one) => nameOf(one["exported"] as Node) === name);
}

function nameOf(node: Node): string {
  return String(node["name"] ?? node["value"] ?? "");
}

function sourceOf(node: Node): string | undefined {
  return (node["source"] as { readonly value?: string } | null)?.value;
}

function codeOf(file: string): string {
  return readFileSync(file, "utf8");
}

function bodyOf(file: string): Node[] {
  return parseAst(codeOf(file), { lang: "ts" }).body as unknown as Node[];
}
