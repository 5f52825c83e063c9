import { fromPointer, toPointer } from "../../fault/pointer.ts";

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
