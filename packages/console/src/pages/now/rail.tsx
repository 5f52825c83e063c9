import type { Approval, LimitRefusal, Upstream } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, withNoun } from "../../format/numbers.ts";
import { left, span } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { now } from "../../state/clock.ts";
import { href } from "../../state/router.ts";
import { ChangeRow } from "../changes/change-row.tsx";
import { ResetBreaker, ResetOutcome } from "../upstreams/reset-breaker.tsx";
import { upstreamWords } from "../upstreams/upstream-words.ts";
import { previewArguments } from "./preview-arguments.ts";
import type { KeptParts } from "./use-overview.ts";

/** An approval that ends sooner is marked. */
const SOON_MS = 300_000;

/** The cards at the side: who waits, upstreams, limits, changes. */
export function Rail({
  parts,
  skewMs,
  hotChange,
  note,
  onRetry,
}: {
  readonly parts: KeptParts;
  readonly skewMs: number;
  /** The id of the change that the verdict names. */
  readonly hotChange: string | undefined;
  /** As of when, if the answer is old. */
  readonly note: string | undefined;
  readonly onRetry: () => void;
}) {
  const { approvals, upstreams, refusals, changes, health } = parts;
  const noted = note === undefined ? {} : { note };
  const pending = approvals.value?.pending;
  return (
    <aside class="rail" aria-label="Approvals, upstreams, limits and changes">
      {(pending !== 0 || approvals.failure !== undefined) && (
        <Card
          id="waiting"
          title={<>Waiting for a person {pending !== undefined && <em class="count">{count(pending)}</em>}</>}
          {...noted}
          {...(pending !== undefined &&
            pending > (approvals.value?.items.length ?? 0) && { aside: <All to="approvals" /> })}
        >
          <Part {...approvals} bones={3} onRetry={onRetry}>
            {({ items }) => (
              <ul class="rows">
                {items.map((one) => (
                  <li key={one.id}>
                    <Waiting approval={one} skewMs={skewMs} />
                  </li>
                ))}
              </ul>
            )}
          </Part>
        </Card>
      )}
      <Card id="upstreams" title="Upstreams" {...noted}>
        <Part {...upstreams} bones={4} onRetry={onRetry}>
          {(items) => (
            <ul class="rows tight">
              {items.map((one) => (
                <UpstreamRow
                  key={one.upstream}
                  upstream={one}
                  asOf={upstreams.asOf}
                  skewMs={skewMs}
                  health={health.value}
                  onReset={onRetry}
                />
              ))}
            </ul>
          )}
        </Part>
      </Card>
      {(refusals.value?.length !== 0 || refusals.failure !== undefined) && (
        <Card id="refused" title="Refused by limits" {...noted}>
          <Part {...refusals} bones={3} onRetry={onRetry}>
            {(items) => <Refusals items={items} />}
          </Part>
        </Card>
      )}
      {(changes.value?.length !== 0 || changes.failure !== undefined) && (
        <Card id="changed" title="What changed" {...noted} aside={<All to="changes" />}>
          <Part {...changes} bones={4} onRetry={onRetry}>
            {(items) => (
              <ol class="rows tight">
                {items.map((one) => (
                  <ChangeRow key={one.id} change={one} isHot={one.id === hotChange}>
                    <time class="sub num" dateTime={one.at}>
                      {span(Math.max(0, now.value - Date.parse(one.at)))}
                    </time>
                  </ChangeRow>
                ))}
              </ol>
            )}
          </Part>
        </Card>
      )}
    </aside>
  );
}

const ALL_NAMES = { approvals: "All approvals", changes: "All changes" } as const;

function All({ to }: { readonly to: keyof typeof ALL_NAMES }) {
  return (
    <a class="all" href={href(to)} aria-label={ALL_NAMES[to]}>
      All
      <Icon name="arrow" size={14} />
    </a>
  );
}

function Waiting({ approval, skewMs }: { readonly approval: Approval; readonly skewMs: number }) {
  const leftMs = Date.parse(approval.expiresAt) - (now.value + skewMs);
  return (
    <a class="row" href={href(`approvals/${approval.id}`)}>
      <div>
        <code>{showHidden(approval.tool)}</code>
        <span class="sub">
          {showHidden(shortCaller(approval.caller))} · {showHidden(approval.tenant)}
        </span>
        <span class="args">
          {previewArguments(approval.arguments).map(({ name, value }) => (
            <span key={name} dir="auto">
              <i>{showHidden(name)}</i> {showHidden(value)}
            </span>
          ))}
        </span>
      </div>
      <span class={leftMs < SOON_MS ? "due soon" : "due"} aria-live="off">
        <b>{left(leftMs)}</b>left
      </span>
    </a>
  );
}

function UpstreamRow({
  upstream,
  asOf,
  skewMs,
  health,
  onReset,
}: {
  readonly upstream: Upstream;
  readonly asOf: string | undefined;
  readonly skewMs: number;
  readonly health: KeptParts["health"]["value"];
  readonly onReset: () => void;
}) {
  const sinceMs = asOf === undefined ? 0 : now.value + skewMs - Date.parse(asOf);
  const { tone, icon, words } = upstreamWords(upstream, sinceMs);
  const isHeld = upstream.breaker === "open" || upstream.breaker === "half-open";
  return (
    <li class="row">
      <span class={`dot ${tone}`}>
        <Icon name={icon} size={14} />
      </span>
      <div>
        <a href={href(`upstreams/${encodeURIComponent(upstream.upstream)}`)}>
          <b>{upstream.upstream}</b>
        </a>
        <span class="sub">{words}</span>
        <ResetOutcome name={upstream.upstream} />
      </div>
      {isHeld ? (
        <ResetBreaker upstream={upstream.upstream} health={health} onReset={onReset} />
      ) : (
        <span class="sub num">{withNoun(upstream.tools, "tool")}</span>
      )}
    </li>
  );
}

function Refusals({ items }: { readonly items: readonly LimitRefusal[] }) {
  const largest = Math.max(1, ...items.map(({ refused }) => refused));
  return (
    <ul class="rows tight">
      {items.map(({ caller, tenant, policy, rate, refused }) => (
        <li key={`${caller} ${tenant} ${policy}`} class="row">
          <div>
            {caller === undefined ? (
              <b>{showHidden(tenant ?? "all callers")}</b>
            ) : (
              <a href={href(`callers/${encodeURIComponent(caller)}`)}>
                <b>{showHidden(shortCaller(caller))}</b>
              </a>
            )}
            <span class="sub">
              {[caller === undefined ? undefined : tenant, rate ? `${policy} ${rate.perSecond}/s` : policy]
                .flatMap((part) => (part === undefined ? [] : [showHidden(part)]))
                .join(" · ")}
            </span>
          </div>
          <span class="meter">
            <i style={{ width: `${Math.max(3, (refused / largest) * 100)}%` }} />
          </span>
          <span class="num">
            {count(refused)}
            <span class="sr"> refused</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
