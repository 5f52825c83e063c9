import type { Fault } from "@recourse/core";
import type { Observer } from "../call/observer.ts";
import type { Upstream } from "../call/upstream.ts";
import type { UpstreamConfig } from "../config/types.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import type { Stores } from "../stores/open-stores.ts";
import { redisSessions, type SessionStore } from "../stores/redis.ts";
import { createUpstreamTokens } from "./credentials/upstream-tokens.ts";
import { createHttpUpstream } from "./http/upstream.ts";
import type { ClientInfo } from "./message.ts";
import { createRestUpstream } from "./rest/upstream.ts";
import { createStdioUpstream, type StdioUpstreamParts } from "./stdio/upstream.ts";

export interface UpstreamParts {
  readonly maxAnswerBytes: number;
  readonly memory: FairPool;
  readonly client: ClientInfo;
  readonly stores: Stores;
  readonly observer: Pick<Observer, "log" | "switched" | "tokenRequested">;
  /** Receives notifications of upstreams that belong to no call, such as changed lists. @default they are dropped */
  readonly onNotification?: StdioUpstreamParts["onNotification"];
}

/** An upstream as it is configured. Nothing is connected or started before it is asked to be ready. */
export function createUpstream(config: UpstreamConfig, parts: UpstreamParts): Upstream {
  switch (config.kind) {
    case "http": {
      const { maxAnswerBytes, memory, client, observer, onNotification } = parts;
      const onNegotiated = negotiationLog(config.name, parts.observer);
      return createHttpUpstream(config, {
        maxAnswerBytes,
        memory,
        client,
        sessions: openSessions(parts),
        tokens: createUpstreamTokens(config, parts),
        onNegotiated,
        observer,
        onNotification,
      });
    }
    case "stdio":
      return createStdioUpstream(config, parts);
    case "openapi":
      return createRestUpstream(config, { ...parts, tokens: createUpstreamTokens(config, parts) });
    default:
      return config satisfies never;
  }
}

/** Longer than sessions are idle before they are ended. */
const SESSION_TTL_MS = 3_600_000;

function openSessions({ stores, observer }: UpstreamParts): SessionStore | undefined {
  if (stores.mode === "memory") return undefined;
  return redisSessions({
    redis: stores.redis,
    ttlMs: SESSION_TTL_MS,
    onSwitch: (state) => observer.switched("sessions", state, "sessions begin new"),
  });
}

/** Reports that an upstream is down, and that it is up again, but not each attempt in between. */
function negotiationLog(name: string, observer: UpstreamParts["observer"]) {
  let isAway = false;
  return (ended: { readonly era: string } | { readonly fault: Fault; readonly cause: unknown }): void => {
    if ("era" in ended) {
      observer.log("info", "The era of an upstream is known.", { upstream: name, era: ended.era });
      if (isAway) observer.switched(`upstream ${name}`, "back", "calls are sent");
      isAway = false;
      return;
    }
    // Nothing was thrown if the upstream does not answer at all.
    const cause = ended.cause === undefined ? ended.fault.message : String(ended.cause);
    observer.log("warn", "An upstream cannot be used.", { upstream: name, cause });
    if (!isAway) observer.switched(`upstream ${name}`, "away", "calls are refused");
    isAway = true;
  };
}
