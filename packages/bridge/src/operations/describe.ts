import { type Json, stringAt } from "../document/json.ts";
import { toText } from "../document/text.ts";

const LONGEST = 1_000;

/** What a tool does, in the document's words, or what it calls where there are none. */
export function describe(node: Json, label: string): string {
  const [summary, description] = [
    toText(stringAt(node, "summary"), 200),
    toText(stringAt(node, "description"), LONGEST),
  ];
  const isRepeated = description.toLowerCase().startsWith(summary.toLowerCase().replace(/\.$/, ""));
  const said = isRepeated ? [description] : [summary && `${summary.replace(/\.$/, "")}.`, description];
  const text = said.filter(Boolean).join(" ") || `Calls ${label}.`;
  return toText(node["deprecated"] === true ? `Deprecated. ${text}` : text, LONGEST);
}
