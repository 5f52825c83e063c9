import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Talk } from "../talk.ts";

/** A server may list without end; this is enough to judge it. */
const MAX = { pages: 10, entries: 500 } as const;

/** What a server listed. */
export interface Lists {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

/** Asks for every list, also for those that the server does not announce: it may serve them all the same. */
export async function readLists(talk: Talk): Promise<Lists> {
  return {
    tools: await readList(talk, "tools/list", "tools"),
    resources: await readList(talk, "resources/list", "resources"),
    resourceTemplates: await readList(talk, "resources/templates/list", "resourceTemplates"),
    prompts: await readList(talk, "prompts/list", "prompts"),
  };
}

async function readList(talk: Talk, method: string, member: string): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX.pages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await talk.request({ stimulus: "list", variant: method }, method, params);
    const result = answer?.kind === "message" ? objectAt(answer.message, "result") : undefined;
    entries.push(
      ...arrayAt(result, member)
        .filter(isObject)
        .slice(0, MAX.entries - entries.length),
    );
    cursor = stringAt(result, "nextCursor");
    if (cursor === undefined) return entries;
    if (entries.length >= MAX.entries) break;
  }
  talk.leaveOut("list", `Only the first ${entries.length} entries of ${method} were read.`);
  return entries;
}
