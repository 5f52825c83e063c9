import { memberAt } from "../json.ts";
import { resolve } from "../refs.ts";
import type { Walk } from "./walk.ts";

const HIDING = { request: "readOnly", response: "writeOnly" } as const satisfies Record<Walk["side"], string>;

/** Whether a property does not exist on this side of the exchange. */
export function isHidden({ document, side }: Pick<Walk, "document" | "side">, node: unknown): boolean {
  const keyword = HIDING[side];
  const resolved = resolve(document, node);
  return memberAt(node, keyword) === true || (resolved.ok && memberAt(resolved.value, keyword) === true);
}
