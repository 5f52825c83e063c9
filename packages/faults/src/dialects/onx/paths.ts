// Where onX says that an argument is wrong, and by which rule.
import { fromPointer, toPointer } from "@recourse/wire";
import { ISSUE_RULES, type Issue } from "../../fault/fault.ts";

/** Checks whether a value is the name of an issue rule. */
export function isIssueRule(value: unknown): value is Issue["rule"] {
  return (ISSUE_RULES as readonly unknown[]).includes(value);
}

/** Only this part of a path is read. A pointer cannot be longer. */
const MAX_PATH_LENGTH = 1_024;
const PATH_PART = /\["([^"]*)"\]|([^.[\]]+)/g;

/** Converts a JSON Pointer into a path such as `order.items.0.sku`; a name with a dot or bracket becomes `["a.b"]`. */
export function toDottedPath(pointer: string): string {
  let path = "";
  for (const name of fromPointer(pointer)) {
    if (/[.[\]]/.test(name)) path += `["${name}"]`;
    else path += path === "" ? name : `.${name}`;
  }
  return path;
}

/** Converts a dotted path into a JSON Pointer. Indexes may be in brackets, and a pointer stays as it was. */
export function fromDottedPath(path: string): string {
  const head = path.slice(0, MAX_PATH_LENGTH);
  if (head.startsWith("/")) return head;
  return toPointer([...head.matchAll(PATH_PART)].map(([, quoted, plain]) => quoted ?? plain ?? ""));
}
