import {
  arrayAt,
  entriesOf,
  isObject,
  type JsonObject,
  parseJson,
  stringAt,
} from "@recourse/faults/internal-do-not-use";

/** Names of members that programs branch on. */
const CODE_NAMES = /^(?:code|error_?code|kind|reason|type|error_?type|status|status_?code|category|name)$/i;
/** Names of lists in which each problem has its code. */
const LIST_NAMES = /^(?:errors|issues|problems|details)$/i;
/** A value that is a name and not a sentence. */
const NAME = /^[\w./:-]{1,100}$/;
/** `_meta` members of the protocol itself: they are in every result. */
const PROTOCOL_KEY = /^(?:[a-z0-9-]+\.)?(?:modelcontextprotocol|mcp)(?:\.[a-z0-9-]+)*\//;

/** Whether a program can tell what failed without reading a sentence: there is a code, or data beside the text. */
export function isMachineReadable(result: JsonObject): boolean {
  const beside = entriesOf(result["_meta"]).some(([key, value]) => !PROTOCOL_KEY.test(key) && isObject(value));
  if (beside || hasCode(result["structuredContent"]) || hasCode(result["error"])) return true;
  return arrayAt(result, "content").some((part) => hasCode(parseJson(stringAt(part, "text"))));
}

function hasCode(value: unknown): boolean {
  if (!isObject(value)) return false;
  return entriesOf(value).some(([key, member]) => {
    if (LIST_NAMES.test(key) && Array.isArray(member)) return member.some(hasCode);
    if (CODE_NAMES.test(key)) return typeof member === "number" || (typeof member === "string" && NAME.test(member));
    return key === "error" && isObject(member) && hasCode(member);
  });
}
