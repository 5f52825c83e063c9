import type { Sink } from "@recourse/core/server";
import type { Observer } from "../call/observer.ts";
import type { ListState, ToolFacts } from "../catalog/catalog.ts";
import type { Changes } from "../changes/changes.ts";
import type { Replicas } from "../changes/replicas.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Controls } from "../controls.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { Redis } from "../stores/redis.ts";
import type { Activity } from "../telemetry/activity.ts";

/** What the API for operators shows and changes. */
export interface AdminParts {
  /** The configuration that counts at the moment. */
  readonly config: () => GatewayConfig;
  readonly controls: Pick<Controls, "approvals" | "audit" | "breakers" | "counts" | "incidents">;
  /** The keys that all replicas share; undefined if only those of the file count. */
  readonly keys: KeyStore | undefined;
  /** What is known about the upstreams. */
  readonly upstreams: () => readonly ListState[];
  /** What is listed about a tool now, by the name that callers use; undefined if no upstream can have it. */
  readonly findTool: (name: string) => ToolFacts | undefined;
  /** The names of all tools that are listed to the gateway itself. @default none are known */
  readonly toolNames?: () => readonly string[];
  /** Whether the store of the limits is down. */
  readonly areLimitsAway: () => boolean;
  /** What this process has seen since it started. */
  readonly activity: Activity;
  readonly observer: Observer;
  /** Receives incidents of the API itself. */
  readonly sink: Sink<GatewayIncident>;
  readonly version: string;
  /** What changed. @default nothing is known */
  readonly changes?: Pick<Changes, "list"> | undefined;
  /** The processes of the gateway. @default they are not known */
  readonly replicas?: Pick<Replicas, "list"> | undefined;
  /** Tells other processes which sessions of the console were ended. @default there are no others */
  readonly redis?: Pick<Redis, "eval"> | undefined;
  /** Where the built console is. @default the one in the package */
  readonly consoleFolder?: string | undefined;
  readonly now: () => number;
  /** How long a request may take, its body apart. @default 10_000 */
  readonly answerMs?: number;
}
