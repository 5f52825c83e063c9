import { canonicalJson } from "../bound/canonical-json.ts";
import { isKnownParam } from "../edge/known-params.ts";
import type { RequestMessage } from "../edge/message.ts";

/** The canonical text of the params that a method has. A tool that is called without arguments has empty ones. */
export function canonicalParams({ method, bytes, spans }: RequestMessage): string {
  const members = (spans.paramMembers ?? [])
    .filter(({ name }) => isKnownParam(method, name))
    .map(({ start, value }) => bytes.toString("utf8", start, value.end));
  if (method === "tools/call" && spans.arguments === undefined) members.push('"arguments":{}');
  return canonicalJson(`{${members.join()}}`);
}
