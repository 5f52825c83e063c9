import type { Issue } from "@recourse/core";
import { arrayAt, fromPointer, memberAt, objectAt, toPointer } from "@recourse/core/wire";
import type { Operation } from "../operations/operation.ts";

/**
 * Translates issues about fields of the request into issues about arguments of the tool. An issue about a field that the
 * tool's schema does not have is left out: the caller could not correct it.
 */
export function argumentIssues(operation: Operation, issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue) => {
    // What the service says of the call as a whole has no argument to point to.
    if (issue.pointer === "" && issue.message !== undefined) return [issue];
    const path = argumentPath(operation, fromPointer(issue.pointer));
    return path === undefined ? [] : [{ ...issue, pointer: toPointer(path) }];
  });
}

export type FieldPath = readonly (string | number)[];

const MAX_FIELD_DEPTH = 32;
const MAX_BRANCH_DEPTH = 4;

/**
 * The path of the argument that is sent as a field of the request, as far as the tool's schema names it. Undefined when the
 * tool has no such argument. Keys that the schema does not name are never copied.
 */
export function argumentPath(operation: Operation, field: FieldPath): FieldPath | undefined {
  const [first, ...rest] = field;
  if (first === undefined) return undefined;
  const whole = operation.arguments.find((one) => one.in === "body" && one.key === undefined);
  const inBody = operation.arguments.find((one) => one.in === "body" && one.key === String(first));
  const elsewhere = operation.arguments.find((one) => one.in !== "body" && one.key === String(first));
  const { inputSchema } = operation;
  if (inBody !== undefined) return knownPart(inputSchema, [inBody.name, ...rest]);
  const inWhole = whole === undefined ? undefined : knownPart(inputSchema, [whole.name, ...field]);
  if (inWhole !== undefined && inWhole.length > 1) return inWhole;
  return elsewhere === undefined ? undefined : knownPart(inputSchema, [elsewhere.name, ...rest]);
}

/** The part of a path that a schema names. */
function knownPart(root: unknown, path: FieldPath): FieldPath | undefined {
  const found: (string | number)[] = [];
  let nodes: readonly unknown[] = [root];
  for (const key of path.slice(0, MAX_FIELD_DEPTH)) {
    const index = typeof key === "number" || /^(?:0|[1-9]\d{0,5})$/.test(key) ? Number(key) : undefined;
    const members = nodes.flatMap((node) => memberAt(objectAt(node, "properties"), String(key)) ?? []);
    const items = index === undefined ? [] : nodes.flatMap((node) => itemAt(node, index) ?? []);
    nodes = [...members, ...items].flatMap((node) => withBranches(node));
    if (members.length + items.length === 0) break;
    found.push(members.length > 0 ? String(key) : (index ?? key));
  }
  return found.length > 0 ? found : undefined;
}

function itemAt(node: unknown, index: number): unknown {
  return arrayAt(node, "prefixItems")[index] ?? memberAt(node, "items");
}

/** A schema and its branches, which describe the same value. */
function withBranches(node: unknown, depth = 0): readonly unknown[] {
  if (depth > MAX_BRANCH_DEPTH) return [node];
  const branches = ["allOf", "anyOf"].flatMap((key) => arrayAt(node, key));
  return [node, ...branches.flatMap((branch) => withBranches(branch, depth + 1))];
}
