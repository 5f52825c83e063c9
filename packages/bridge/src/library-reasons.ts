import type { AnyReason } from "@recourse/faults";
import * as faults from "@recourse/faults";
import { entriesOf } from "@recourse/faults/internal-do-not-use";

/** Every reason of `@recourse/faults` by its id. */
export const LIBRARY_REASONS: ReadonlyMap<string, AnyReason> = new Map(
  Object.values<unknown>(faults)
    .flatMap((module) => entriesOf(module).map(([, member]) => member))
    .filter(isReason)
    .map((reason) => [reason.id, reason]),
);

/** The domain of reasons that are made in place with `fail`. */
const ADHOC = "adhoc";

/** Domains that belong to the library. */
export const LIBRARY_DOMAINS: ReadonlySet<string> = new Set([
  ADHOC,
  ...[...LIBRARY_REASONS.keys()].map((id) => id.slice(0, id.indexOf("/"))),
]);

function isReason(value: unknown): value is AnyReason {
  return typeof value === "function" && "id" in value && typeof value.id === "string";
}

/** What the first part of a reason's id may be. */
export const REASON_DOMAIN = /^[a-z][a-z0-9_]{0,39}$/;
/** What the second part of a reason's id may be. */
export const REASON_NAME = /^[a-z][a-z0-9_]{0,59}$/;
