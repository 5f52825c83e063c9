import { toPointer } from "../../fault/pointer.ts";

/** Longer paths are cut: a pointer holds no more. */
const MAX_PATH = 1_024;
const PART = /\["([^"]*)"\]|([^.[\]]+)/g;

/** The dotted path of a JSON Pointer, such as `order.items.0.sku`; a name with a dot or a bracket stands as `["a.b"]`. */
export function toPath(pointer: string): string {
  let path = "";
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (/[.[\]]/.test(name)) path += `["${name}"]`;
    else path += path === "" ? name : `.${name}`;
  }
  return path;
}

/** The JSON Pointer of a dotted path; indexes may stand in brackets, and a pointer stays one. */
export function fromPath(path: string): string {
  const head = path.slice(0, MAX_PATH);
  if (head.startsWith("/")) return head;
  return toPointer([...head.matchAll(PART)].map(([, quoted, plain]) => quoted ?? plain ?? ""));
}
