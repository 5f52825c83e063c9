// What is down, and what callers get meanwhile.

import { basename } from "node:path";
import { cleanLogText, toLine } from "@recourse/core/safety";
import type { ControlName } from "../call/observer.ts";
import type { ListState } from "../catalog/catalog.ts";
import type { GatewayConfig, UpstreamConfig } from "../config/types.ts";
import { readAddress } from "../stores/store-error.ts";
import type { Activity } from "../telemetry/activity.ts";

export interface PartDown {
  readonly part: string;
  /** ISO 8601 time. */
  readonly since: string;
  readonly text: string;
}

const MAX_DOWN_PARTS = 100;
const MAX_WHY = 200;

/** What callers get while a part is down that all calls share. */
const PART_TEXTS = {
  database: () => "Calls continue. Incidents wait in memory, up to 50,000 per process.",
  incidents: () => "Calls continue. Incidents wait in memory, up to 50,000 per process.",
  approvals: () => "Calls that need an approval are refused. Other calls continue.",
  idempotency: () => "Calls with an idempotency key are refused. Other calls continue.",
  // The switch itself says until when.
  hold: (_, answer) => answer ?? "Calls with a new idempotency key are refused. Other calls continue.",
  breakers: () => "Calls continue. Each process counts failures of upstreams for itself, and no breaker can be reset.",
  sessions: () => "Calls continue. Sessions of upstreams start again.",
  keys: () => "Keys that were accepted a moment ago are still accepted. All other keys are refused.",
  tokens: () => "Tokens that are signed by known keys are accepted. All other tokens are refused.",
  limits: ({ away }: GatewayConfig) => LIMIT_TEXTS[away.limits],
} as const satisfies Record<
  Exclude<ControlName, `${string} ${string}`>,
  (config: GatewayConfig, answer?: string) => string
>;

const LIMIT_TEXTS = {
  closed: "Calls with a limit are refused.",
  open: "Calls continue without limits.",
  local: "Calls continue. Each process counts for itself.",
} as const satisfies Record<GatewayConfig["away"]["limits"], string>;

/** What callers get while something of one upstream is down. */
const UPSTREAM_TEXTS = {
  upstream: () => "Its calls are refused.",
  "lists of": (listed: ListState["listed"]) =>
    listed === "never"
      ? "Its tools are not listed, so they cannot be called."
      : "Its last list stays. Calls are still sent to it.",
  "credential of": () => "Its calls are refused, since the gateway gets no token for it.",
} as const;

const UPSTREAM_PART = /^(upstream|lists of|credential of) (.*)$/s;

/** What does not work for this process, since when, and what callers get meanwhile. */
export function listDownParts(
  config: GatewayConfig,
  activity: Pick<Activity, "away" | "startedAt">,
  upstreams: readonly ListState[],
): readonly PartDown[] {
  const listed = new Map(upstreams.map((state) => [state.upstream, state.listed]));
  const down = activity.away.map(({ control, since, answer }) => {
    return { part: control, since, text: partText(control, answer) };
  });
  const known = new Set(down.flatMap(({ part }) => UPSTREAM_PART.exec(part)?.[2] ?? []));
  // Lists that are being read for the first time have not failed yet.
  const unread = upstreams.filter((state) => state.listed !== "current" && !known.has(state.upstream));
  return [
    ...down,
    ...unread.map(({ upstream, listed: state }) => {
      return { part: `lists of ${upstream}`, since: activity.startedAt, text: UPSTREAM_TEXTS["lists of"](state) };
    }),
  ].slice(0, MAX_DOWN_PARTS);

  function partText(control: ControlName, answer: string | undefined): string {
    const [, of, upstream = ""] = UPSTREAM_PART.exec(control) ?? [];
    if (of !== undefined) return UPSTREAM_TEXTS[of as keyof typeof UPSTREAM_TEXTS](listed.get(upstream) ?? "never");
    return PART_TEXTS[control as keyof typeof PART_TEXTS](config, answer);
  }
}

/** Why the lists of an upstream cannot be read, as one short line without secrets. */
export function cleanWhy(why: string | undefined): string | undefined {
  return why === undefined ? undefined : toLine(cleanLogText(why, { max: 2 * MAX_WHY }), MAX_WHY);
}

/** Where an upstream is: host and port, or the name of its command without arguments, which may hold secrets. */
export function upstreamHost(upstream: UpstreamConfig): string | undefined {
  switch (upstream.kind) {
    case "http":
      return readAddress(upstream.url);
    case "stdio":
      return basename(upstream.command[0]);
    case "openapi": {
      const address = upstream.server ?? upstream.document;
      return /^https?:/i.test(address) && URL.canParse(address) ? readAddress(address) : basename(upstream.document);
    }
    default:
      return upstream satisfies never;
  }
}
