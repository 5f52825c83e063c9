import { prefixOf } from "../build.ts";
import { ONLY_WITH } from "../upstream-schema.ts";
import { type Check, type Finding, type IsWritten, problem } from "./check.ts";

const WAYS = ["url", "command", "openapi"] as const;

/** Each upstream is reached in one way, has a prefix that tells its names from those of others, and only the options of that way. */
export const upstreamChecks: Check = function* ({ upstreams = {} }, isWritten) {
  const prefixes: { readonly of: string; readonly prefix: string }[] = [];
  for (const [name, one] of Object.entries(upstreams)) {
    yield* wayFindings(name, isWritten);
    yield* credentialFindings(name, isWritten);
    const prefix = prefixOf(name, one);
    for (const other of prefixes) {
      if (!prefix.startsWith(other.prefix) && !other.prefix.startsWith(prefix)) continue;
      yield problem(
        ["upstreams", name, ...(isWritten("upstreams", name, "prefix") ? ["prefix"] : [])],
        overlapOf(prefix, other),
        "Give each upstream a prefix of its own that no other one begins with.",
      );
      break;
    }
    prefixes.push({ of: name, prefix });
  }
};

function overlapOf(prefix: string, other: { readonly of: string; readonly prefix: string }): string {
  if (other.prefix === prefix)
    return `the upstream ${other.of} has the same prefix, so their tools cannot be told apart.`;
  return prefix.startsWith(other.prefix)
    ? `it begins with the prefix of the upstream ${other.of}, so their tools cannot be told apart.`
    : `the prefix of the upstream ${other.of} begins with it, so their tools cannot be told apart.`;
}

function* wayFindings(name: string, isWritten: IsWritten): Generator<Finding> {
  const ways = WAYS.filter((way) => isWritten("upstreams", name, way));
  if (ways.length === 0)
    yield problem(["upstreams", name], "url, command or openapi is missing.", "Write one of them.");
  if (ways.length > 1)
    yield problem(["upstreams", name, ways[1] ?? ""], `${ways.join(" and ")} exclude each other.`, "Keep one of them.");
  for (const [option, way] of Object.entries(ONLY_WITH)) {
    if (ways.length !== 1 || ways[0] === way || !isWritten("upstreams", name, option)) continue;
    yield problem(["upstreams", name, option], `this option belongs to upstreams with ${way}.`, "Remove it.");
  }
}

function* credentialFindings(name: string, isWritten: IsWritten): Generator<Finding> {
  const at = ["upstreams", name, "credential"];
  const has = (option: string) => isWritten(...at, option);
  if (!isWritten(...at)) return;
  if (isWritten("upstreams", name, "command"))
    yield problem(at, "programs get no credential.", "Put it into environment, under the name that the program reads.");
  if (has("bearer") && (has("header") || has("value")))
    yield problem(at, "bearer and header exclude each other.", "Keep one of them.");
  else if (has("header") !== has("value"))
    yield problem(at, "header and value belong together.", "Write { header: X-Api-Key, value: … }.");
  else if (!has("bearer") && !has("header"))
    yield problem(at, "the credential is empty.", "Write { bearer: … } or { header: X-Api-Key, value: … }.");
}
