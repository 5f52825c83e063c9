import { arrayAt, memberAt, objectAt } from "../document/json.ts";
import type { Operation } from "./operation.ts";

/** Keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

const DEEPEST = 32;

/**
 * The path of an argument that a service means when it names a field of the request, as far as the tool's own schema
 * goes; undefined when the tool has no such argument. Keys that the schema does not name are never taken over.
 */
export function argumentPath(operation: Operation, field: Path): Path | undefined {
  const [first, ...rest] = field;
  if (first === undefined) return undefined;
  const whole = operation.arguments.find((one) => one.in === "body" && one.key === undefined);
  const inBody = operation.arguments.find((one) => one.in === "body" && one.key === String(first));
  const elsewhere = operation.arguments.find((one) => one.in !== "body" && one.key === String(first));
  const { inputSchema } = operation;
  if (inBody !== undefined) return known(inputSchema, [inBody.name, ...rest]);
  const inWhole = whole === undefined ? undefined : known(inputSchema, [whole.name, ...field]);
  if (inWhole !== undefined && inWhole.length > 1) return inWhole;
  return elsewhere === undefined ? undefined : known(inputSchema, [elsewhere.name, ...rest]);
}

/** The part of a path that a schema names. */
function known(root: unknown, path: Path): Path | undefined {
  const found: (string | number)[] = [];
  let nodes: readonly unknown[] = [root];
  for (const key of path.slice(0, DEEPEST)) {
    const index = typeof key === "number" || /^(?:0|[1-9]\d{0,5})$/.test(key) ? Number(key) : undefined;
    const members = nodes.flatMap((node) => memberAt(objectAt(node, "properties"), String(key)) ?? []);
    const items = index === undefined ? [] : nodes.flatMap((node) => itemAt(node, index) ?? []);
    nodes = [...members, ...items].flatMap((node) => branchesOf(node));
    if (members.length + items.length === 0) break;
    found.push(members.length > 0 ? String(key) : (index ?? key));
  }
  return found.length > 0 ? found : undefined;
}

function itemAt(node: unknown, index: number): unknown {
  return arrayAt(node, "prefixItems")[index] ?? memberAt(node, "items");
}

/** A schema and all that describe the same value. */
function branchesOf(node: unknown, depth = 0): readonly unknown[] {
  if (depth > 4) return [node];
  const more = ["allOf", "anyOf"].flatMap((key) => arrayAt(node, key));
  return [node, ...more.flatMap((branch) => branchesOf(branch, depth + 1))];
}
