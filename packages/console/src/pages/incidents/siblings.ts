// Other incidents of one cause, around the one that is shown.
import type { Incident, Page } from "../../api/types.ts";
import { type Resource, useResource } from "../../state/resource.ts";

/** How many are listed. */
const SIBLINGS_LISTED = 20;
/** So many newer ones are asked for to find the next newer one. */
const SEARCHED = 200;

/** The incident among those of its cause. */
export interface Siblings {
  /** Those around it, the newest first, with itself. */
  readonly items: readonly Incident[];
  /** Its place among all, from 1; undefined if it is not known. */
  readonly position: number | undefined;
  readonly newer: Incident | undefined;
  readonly older: Incident | undefined;
  readonly failure: Resource<unknown>["failure"];
  readonly reload: () => void;
  readonly isLoading: boolean;
}

/** Asks for other incidents of the cause: the newest ones, and those around this one if it is not among them. */
export function useSiblings(incident: Incident): Siblings {
  const { fingerprint, at } = incident;
  const newest = useResource<Page<Incident>>(`incidents?fingerprint=${fingerprint}&limit=${SIBLINGS_LISTED}`);
  const isFar = newest.value !== undefined && findPlace(newest.value.items, incident) < 0;
  const around = (query: string) => (isFar ? `incidents?fingerprint=${fingerprint}&${query}` : undefined);
  const later = useResource<Page<Incident>>(around(`since=${encodeURIComponent(at)}&limit=${SEARCHED}`));
  const cursor = `${incident.id}.${Date.parse(at)}`;
  const earlier = useResource<Page<Incident>>(
    around(`before=${encodeURIComponent(cursor)}&limit=${SIBLINGS_LISTED - 1}`),
  );
  const load = { failure: newest.failure, reload: newest.reload, isLoading: newest.isLoading };
  if (!isFar) return { ...placeAmong(newest.value?.items ?? [], incident), ...load };
  return { ...placeFar({ later: later.value, earlier: earlier.value?.items ?? [], incident }), ...load };
}

function findPlace(items: readonly Incident[], { id, at }: Incident): number {
  return items.findIndex((item) => item.id === id && item.at === at);
}

type Placed = Pick<Siblings, "items" | "position" | "newer" | "older">;

/** Finds an incident in the list of the newest. */
function placeAmong(items: readonly Incident[], incident: Incident): Placed {
  const at = findPlace(items, incident);
  if (at < 0) return { items, position: undefined, newer: undefined, older: undefined };
  return { items, position: at + 1, newer: items[at - 1], older: items[at + 1] };
}

/** Finds an incident that is older than the list. The next newer one is known if all newer ones fit into one page. */
function placeFar({
  later,
  earlier,
  incident,
}: {
  readonly later: Page<Incident> | undefined;
  readonly earlier: readonly Incident[];
  readonly incident: Incident;
}): Placed {
  const items = [incident, ...earlier];
  const at = later?.next === null ? findPlace(later.items, incident) : -1;
  if (later === undefined || at < 0) return { items, position: undefined, newer: undefined, older: earlier[0] };
  return { items, position: at + 1, newer: later.items[at - 1], older: earlier[0] };
}
