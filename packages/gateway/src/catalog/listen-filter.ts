import { isObject, memberAt } from "@recourse/faults/internal-do-not-use";
import type { ListMethod } from "./entry.ts";

/** The changes of lists that a caller can listen for: the notification, and the capability that announces it. */
export const CHANGES = {
  toolsListChanged: { method: "notifications/tools/list_changed", capability: "tools", lists: ["tools/list"] },
  promptsListChanged: { method: "notifications/prompts/list_changed", capability: "prompts", lists: ["prompts/list"] },
  resourcesListChanged: {
    method: "notifications/resources/list_changed",
    capability: "resources",
    lists: ["resources/list", "resources/templates/list"],
  },
} as const satisfies Readonly<Record<string, { method: string; capability: string; lists: readonly ListMethod[] }>>;

/** The member of the filter for one of these changes. */
export type ListChange = keyof typeof CHANGES;
const LIST_CHANGES = Object.keys(CHANGES) as ListChange[];

/** What a caller wants to hear of. */
export interface Filter {
  readonly changes: ReadonlySet<ListChange>;
  /** URIs of single resources. */
  readonly uris: readonly string[];
}

/** A stream follows at most this many resources; those beyond are not acknowledged. */
const MAX_URIS = 1_000;

/** The filter in the params of `subscriptions/listen`. Undefined if it is missing or malformed. */
export function readFilter(params: unknown): Filter | undefined {
  const asked = memberAt(params, "notifications");
  if (!isObject(asked)) return undefined;
  const changes = new Set<ListChange>();
  for (const change of LIST_CHANGES) {
    const wanted = memberAt(asked, change);
    if (wanted !== undefined && typeof wanted !== "boolean") return undefined;
    if (wanted === true) changes.add(change);
  }
  const uris = memberAt(asked, "resourceSubscriptions") ?? [];
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return undefined;
  return { changes, uris: [...new Set<string>(uris)].slice(0, MAX_URIS) };
}

/** The change that a notification announces. */
export function changeOfMethod(method: string): ListChange | undefined {
  return LIST_CHANGES.find((change) => CHANGES[change].method === method);
}

/** The changes that lists with these methods mean. */
export function changesIn(changed: readonly ListMethod[]): ReadonlySet<ListChange> {
  return new Set(
    LIST_CHANGES.filter((change) => CHANGES[change].lists.some((method: ListMethod) => changed.includes(method))),
  );
}
