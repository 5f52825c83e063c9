// How a gateway is doing, and what of it is a problem.

import { listNames, spanText } from "../terminal/wording.ts";

/** The last failure of an upstream. */
interface FailureNote {
  readonly at: string;
  readonly reason: string;
  readonly incident: string;
}

/** An upstream, as an operator wants to see it. */
export interface UpstreamStatus {
  readonly upstream: string;
  readonly isUp: boolean;
  readonly tools: number;
  readonly requests: number;
  readonly failures: number;
  /** Since when it cannot be reached or listed. */
  readonly downSince?: string | undefined;
  readonly breaker?: string | undefined;
  readonly breakerSince?: string | undefined;
  /** When the breaker lets the next call through, in ms. */
  readonly nextTryMs?: number | undefined;
  readonly lastFailure?: FailureNote | undefined;
}

/** A tool that is held back by its breaker. */
interface HeldBackTool extends Pick<UpstreamStatus, "upstream" | "breakerSince" | "nextTryMs"> {
  readonly tool: string;
}

/** A cause of failures in the last hour. */
export interface CauseStatus {
  readonly reason: string;
  readonly count: number;
  readonly tool?: string | undefined;
  readonly upstream?: string | undefined;
  readonly message: string;
  readonly lastSeen: string;
  /** How often in each two minutes of the last hour, the oldest first. */
  readonly counts: readonly number[];
  /** The newest incident of it that is kept. */
  readonly incident?: string | undefined;
  /** What to type next. */
  readonly next: readonly string[];
}

/** Something that does not work, and what to type next. */
interface StatusProblem {
  readonly message: string;
  readonly next?: string | undefined;
}

/** A part of the gateway that does not work. */
interface DownPart {
  readonly part: string;
  readonly since: string | undefined;
  /** What callers get meanwhile. */
  readonly text?: string | undefined;
}

/** How a gateway is doing. This is what `--json` prints. */
export interface GatewayStatus {
  readonly address: string;
  readonly name: string;
  readonly version: string;
  readonly store: string;
  readonly startedAt?: string | undefined;
  /** `works`, `away` or `off`, by the name of the part. */
  readonly parts: Readonly<Record<string, string>>;
  /** Undefined if it could not be read, as with all parts below. */
  readonly upstreams?: readonly UpstreamStatus[] | undefined;
  /** Tools whose breaker is not closed. */
  readonly heldBackTools: readonly HeldBackTool[];
  /** The last hour of the process that answered. */
  readonly lastHour?:
    | {
        readonly requests: number;
        readonly failures: number;
        readonly requestCounts: readonly number[];
        readonly failureCounts: readonly number[];
      }
    | undefined;
  readonly causes?: readonly CauseStatus[] | undefined;
  readonly approvals?:
    | { readonly waiting: number; readonly hasMore: boolean; readonly firstExpiresAt?: string | undefined }
    | undefined;
  readonly problems: readonly StatusProblem[];
  /** What could not be read, in sentences. */
  readonly notes: readonly string[];
}

/** What does not work, the stores first: upstreams can look down because of them. */
export function findProblems(
  { parts, upstreams = [], heldBackTools, causes = [] }: Omit<GatewayStatus, "problems" | "notes">,
  down: readonly DownPart[],
  nowMs: number,
): StatusProblem[] {
  const away = Object.keys(parts).filter((name) => parts[name] === "away");
  const held = down.filter(({ part }) => part === "hold");
  const others = down.filter(({ part }) => part !== "hold" && !/^(?:upstream|lists of|credential of) /.test(part));
  const broken = [...new Set([...away, ...others.map(({ part }) => part)])];
  // Parts share their stores, so all of them are one problem with one beginning.
  const [since] = others.flatMap((one) => one.since ?? []).toSorted();
  const length = since === undefined ? "do not work" : `have not worked ${forText(since, nowMs)}`;
  return [
    ...(broken.length === 0
      ? []
      : [
          {
            message: `These parts ${length}, since a store does not answer: ${listNames(broken)}.`,
            next: "recourse serve --check",
          },
        ]),
    ...held.map(({ text }) => ({ message: text ?? "Calls with a new idempotency key are refused after a restore." })),
    ...upstreams
      .filter(({ isUp }) => !isUp)
      .map((one) => ({
        message: `The upstream ${one.upstream} ${upstreamTrouble(one, nowMs)}.`,
        next: incidentOf(one, causes),
      })),
    ...heldBackTools.map((one) => ({
      message: `The tool ${one.tool} of ${one.upstream} ${breakerText(one, nowMs)}.`,
      next: incidentOf({ upstream: one.upstream, lastFailure: undefined }, causes),
    })),
  ];
}

/** Why an upstream is not up, as the rest of a sentence. */
export function upstreamTrouble(one: UpstreamStatus, nowMs: number): string {
  if (one.breaker === "open") return breakerText(one, nowMs);
  return one.downSince === undefined
    ? "has not listed its tools yet"
    : `has not answered ${forText(one.downSince, nowMs)}`;
}

function breakerText({ breakerSince, nextTryMs }: Omit<HeldBackTool, "tool" | "upstream">, nowMs: number): string {
  const length = breakerSince === undefined ? "is held back" : `has been held back ${forText(breakerSince, nowMs)}`;
  const isNow = nextTryMs === undefined || nextTryMs <= 0;
  const nextTry = isNow ? "the next call tries it" : `the next try is in ${spanText(nextTryMs)}`;
  return `${length}: its breaker is open, ${nextTry}`;
}

/** The command that leads to the cause of a failing upstream. */
function incidentOf(
  { upstream, lastFailure }: Pick<UpstreamStatus, "upstream" | "lastFailure">,
  causes: readonly CauseStatus[],
): string {
  const incident = lastFailure?.incident ?? causes.find((one) => one.upstream === upstream)?.incident;
  return incident === undefined ? "recourse serve --check" : `recourse incident ${incident}`;
}

/** `for 4 min`. */
function forText(since: string, nowMs: number): string {
  return `for ${spanText(nowMs - Date.parse(since))}`;
}
