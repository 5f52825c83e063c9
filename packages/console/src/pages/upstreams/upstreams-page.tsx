import type { CallRates, Health, Page, Upstream } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, share, withNoun } from "../../format/numbers.ts";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { now } from "../../state/clock.ts";
import { POLL_MS, useResource } from "../../state/resource.ts";
import { href } from "../../state/router.ts";
import { ResetBreaker, ResetOutcome } from "./reset-breaker.tsx";
import { KIND_WORDS, LISTED_WORDS, upstreamWords } from "./upstream-words.ts";

const REFRESH_MS = 60_000;

/** The upstreams and their breakers. */
export function UpstreamsPage() {
  const upstreams = useResource<Page<Upstream>>("upstreams?limit=200", { everyMs: POLL_MS });
  const rates = useResource<CallRates>("call-rates?by=upstream&range=1h", { everyMs: REFRESH_MS });
  const health = useResource<Health>("health", { everyMs: POLL_MS });
  return (
    <div class="page upstreams">
      <h1>Upstreams</h1>
      <Part {...upstreams} onRetry={upstreams.reload} bones={8}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">The configuration names no upstream.</p>
          ) : (
            <div class="upstream-list">
              {items.map((one) => (
                <UpstreamCard
                  key={one.upstream}
                  upstream={one}
                  asOf={upstreams.asOf}
                  rates={rates.value}
                  health={health.value}
                  onReset={upstreams.reload}
                />
              ))}
            </div>
          )
        }
      </Part>
    </div>
  );
}

/** The state of one upstream: a tile, its breaker, and what is known about it. */
export function UpstreamCard({
  upstream: one,
  asOf,
  rates,
  health,
  isLinked = true,
  onReset,
}: {
  readonly upstream: Upstream;
  /** When the answer came, in ms since 1970. */
  readonly asOf: number | undefined;
  readonly rates: CallRates | undefined;
  readonly health: Health | undefined;
  /** Whether it is one of a list, so that its title is its name and leads to its page. @default true */
  readonly isLinked?: boolean;
  readonly onReset: () => void;
}) {
  const sinceMs = asOf === undefined ? 0 : now.value - asOf;
  const { tone, icon, words } = upstreamWords(one, sinceMs);
  const lastHour = rates?.groups.find(({ group }) => group === one.upstream);
  return (
    <Card
      id={`upstream-${one.upstream}`}
      class="upstream"
      title={
        <>
          <span class={`dot ${tone}`}>
            <Icon name={icon} size={14} />
          </span>
          {isLinked ? <a href={href(`upstreams/${encodeURIComponent(one.upstream)}`)}>{one.upstream}</a> : "State"}
        </>
      }
      note={<span class={tone}>{words}</span>}
      aside={
        one.breaker === "open" || one.breaker === "half-open" ? (
          <ResetBreaker upstream={one.upstream} health={health} onReset={onReset} />
        ) : undefined
      }
    >
      <ResetOutcome name={one.upstream} />
      <dl class="facts">
        <div>
          <dt>Reached by</dt>
          <dd>
            {KIND_WORDS[one.kind]}
            {one.host !== undefined && (
              <>
                {" "}
                <code>{showHidden(one.host)}</code>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Tools</dt>
          <dd>
            {count(one.tools)}, {LISTED_WORDS[one.listed]}
            {one.listedAt !== undefined && (
              <>
                , read <When at={one.listedAt} />
              </>
            )}
          </dd>
        </div>
        {one.era !== undefined && (
          <div>
            <dt>Revision of MCP</dt>
            <dd>{showHidden(one.era)}</dd>
          </div>
        )}
        <div>
          <dt>Breaker</dt>
          <dd>
            {BREAKER_WORDS[one.breaker ?? "none"]}
            {one.breakerSince !== undefined && (
              <>
                , since <When at={one.breakerSince} show="clock" />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Failures in the last hour</dt>
          <dd>
            {rates === undefined
              ? "not known"
              : lastHour === undefined || lastHour.calls === 0
                ? "no calls"
                : `${count(lastHour.faults)} of ${withNoun(lastHour.calls, "call")}, ${share(lastHour.faults, lastHour.calls)}`}
          </dd>
        </div>
        {one.lastFailure !== undefined && (
          <div>
            <dt>Last failure</dt>
            <dd>
              <a href={href(`i/${one.lastFailure.incident}`)}>{one.lastFailure.reason}</a>{" "}
              <When at={one.lastFailure.at} />
            </dd>
          </div>
        )}
      </dl>
      {one.why !== undefined && (
        <p class="why">
          <b>
            Down
            {one.downSince !== undefined && (
              <>
                {" "}
                since <When at={one.downSince} show="clock" />
              </>
            )}
            .
          </b>{" "}
          <span dir="auto">{showHidden(one.why)}</span>
        </p>
      )}
      <HeldTools upstream={one} sinceMs={sinceMs} health={health} onReset={onReset} />
      {one.shadowed.length > 0 && (
        <details>
          <summary>
            {withNoun(one.shadowed.length, "name")} left out, {one.shadowed.length === 1 ? "it belongs" : "they belong"}{" "}
            to another upstream
          </summary>
          <ul class="names">
            {one.shadowed.map((name) => (
              <li key={name}>
                <code>{showHidden(name)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

const BREAKER_WORDS = {
  closed: "closed, calls pass",
  open: "open, calls are refused",
  "half-open": "half-open, single calls pass",
  none: "none",
} as const satisfies Record<NonNullable<Upstream["breaker"]> | "none", string>;

/** Tools with a breaker of their own that is not closed. */
function HeldTools({
  upstream: { upstream, heldTools = [] },
  sinceMs,
  health,
  onReset,
}: {
  readonly upstream: Upstream;
  readonly sinceMs: number;
  readonly health: Health | undefined;
  readonly onReset: () => void;
}) {
  if (heldTools.length === 0) return null;
  return (
    <ul class="rows tight">
      {heldTools.map(({ tool, name = tool, afterMs }) => (
        <li key={tool} class="row">
          <span class="dot bad">
            <Icon name="breaker" size={14} />
          </span>
          <div>
            <code>{showHidden(name)}</code>
            <span class="sub">
              held back
              {afterMs !== undefined && ` · next probe in ${Math.max(0, Math.ceil((afterMs - sinceMs) / 1_000))} s`}
            </span>
            <ResetOutcome name={tool} />
          </div>
          <ResetBreaker upstream={upstream} tool={tool} health={health} onReset={onReset} />
        </li>
      ))}
    </ul>
  );
}
