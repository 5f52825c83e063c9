import {
  CLIENT_CAPABILITIES_KEY,
  hasHandshake,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  type Revision,
  TASKS_EXTENSION,
} from "@recourse/core/wire";
import type { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";

/** What is known of an upstream that may have tasks. */
export interface TaskHost {
  readonly upstream: Pick<Upstream, "about">;
  readonly era: Revision | undefined;
}

/** Whether an upstream says that it starts tasks for calls of tools, in the way of its era. */
export function startsTasks({ upstream, era }: TaskHost): boolean {
  const capabilities = upstream.about?.capabilities;
  if (capabilities === undefined || era === undefined) return false;
  if (!hasHandshake(era)) return isObject(memberAt(objectAt(capabilities, "extensions"), TASKS_EXTENSION));
  return objectAt(objectAt(objectAt(capabilities, "tasks"), "requests"), "tools")?.["call"] !== undefined;
}

/** What the gateway announces of tasks to callers of the older era; undefined if no upstream has any. */
export function taskCapability(hosts: readonly TaskHost[]): JsonObject | undefined {
  const starting = hosts.filter((host) => hasHandshake(host.era) && startsTasks(host));
  if (starting.length === 0) return undefined;
  const cancels = ({ upstream }: TaskHost) => objectAt(upstream.about?.capabilities, "tasks")?.["cancel"] !== undefined;
  return {
    ...(starting.some(cancels) && { cancel: {} }),
    requests: { tools: { call: {} } },
  };
}

export function declaresTasks(meta: JsonObject | undefined): boolean {
  return isObject(memberAt(objectAt(objectAt(meta, CLIENT_CAPABILITIES_KEY), "extensions"), TASKS_EXTENSION));
}

/**
 * Whether a call may become a task: both sides are of the same era, and both know tasks. In the older era the caller asks for
 * it in each call; in the newer one the upstream decides.
 */
export function mayBecomeTask({ message, revision }: Pick<Call, "message" | "revision">, host: TaskHost): boolean {
  if (message?.method !== "tools/call") return false;
  const asks = hasHandshake(revision) ? message.params?.["task"] !== undefined : declaresTasks(message.meta);
  return asks && hasHandshake(revision) === hasHandshake(host.era) && startsTasks(host);
}
