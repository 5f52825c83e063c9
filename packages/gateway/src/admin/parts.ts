import type { Sink } from "@recourse/faults/server";
import type { Observer } from "../call/observer.ts";
import type { ListState } from "../catalog/catalog.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Controls } from "../controls.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { Activity } from "../telemetry/activity.ts";

/** What the API for operators shows and changes. */
export interface AdminParts {
  /** The configuration that counts at the moment. */
  readonly config: () => GatewayConfig;
  readonly controls: Pick<Controls, "approvals" | "audit" | "breakers" | "incidents">;
  /** The keys that all replicas share; undefined where only those of the file count. */
  readonly keys: KeyStore | undefined;
  /** What is known about the upstreams. */
  readonly upstreams: () => readonly ListState[];
  /** Whether the store of the limits is away. */
  readonly areLimitsAway: () => boolean;
  /** What this process has seen since it started. */
  readonly activity: Activity;
  readonly observer: Observer;
  /** Receives incidents of the API itself. */
  readonly sink: Sink<GatewayIncident>;
  readonly version: string;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** How long a request may take, its body apart. @default 10_000 */
  readonly answerMs?: number;
}
