// The cause of an incident over time, and other incidents of it.
import type { Change, Hits, Incident, IncidentClass, Series } from "../../api/types.ts";
import { count, milliseconds, withNoun } from "../../format/numbers.ts";
import { ago, clock, day, fullTime } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Part } from "../../parts/part.tsx";
import { now } from "../../state/clock.ts";
import { type Resource, useResource } from "../../state/resource.ts";
import { go, href, place, setQuery } from "../../state/router.ts";
import { RANGE_WORDS, rangeReaching, STEP_WORDS } from "../now/ranges.ts";
import { OneCauseChart } from "./cause-chart.tsx";
import { shortId } from "./facts.ts";
import type { Siblings } from "./siblings.ts";

/** How often the cause was seen around the incident, and who it hit. */
export function ThisCause({
  incident,
  cause,
  changes,
}: {
  readonly incident: Incident;
  readonly cause: Resource<IncidentClass>;
  readonly changes: readonly Change[];
}) {
  const range = rangeReaching(incident.at, { nowMs: Date.now(), from: "15m" }) ?? "30d";
  const { last } = RANGE_WORDS[range];
  const { fingerprint } = incident;
  const series = useResource<Series>(`incident-series?by=fingerprint&fingerprint=${fingerprint}&range=${range}`);
  const callers = useResource<Hits>(`incident-hits?by=caller&fingerprint=${fingerprint}&limit=1`);
  const tenants = useResource<Hits>(`incident-hits?by=tenant&fingerprint=${fingerprint}&limit=1`);
  const total = series.value?.groups.find(({ group }) => group === fingerprint)?.total;
  const facts = [
    total === undefined ? undefined : `${count(total)} in ${last}`,
    describeHits(callers.value, tenants.value),
    cause.value === undefined ? undefined : `first seen ${ago(cause.value.firstSeen, now.value)}`,
  ].filter((fact) => fact !== undefined);
  return (
    <Card id="same" title="This cause" class="plot" aside={<p class="sub">{facts.join(" · ")}</p>}>
      <Part value={series.value} asOf={series.asOf} failure={series.failure} onRetry={series.reload} bones={8}>
        {(value) => (
          <OneCauseChart
            series={value}
            fingerprint={fingerprint}
            what={`Incidents of this cause ${STEP_WORDS[value.step]} in ${last}`}
            changes={changes}
            thisOne={incident.at}
          />
        )}
      </Part>
    </Card>
  );
}

function describeHits(callers: Hits | undefined, tenants: Hits | undefined): string | undefined {
  if (callers === undefined || callers.count === 0) return undefined;
  const who = withNoun(callers.count, "caller");
  return tenants === undefined || tenants.count === 0 ? who : `${who} of ${withNoun(tenants.count, "tenant")}`;
}

/** Two incidents are compared. */
const COMPARED = 2;

/** Other incidents of the cause, to open and to compare. */
export function OthersLikeIt({ incident, siblings }: { readonly incident: Incident; readonly siblings: Siblings }) {
  const picked = place.value.query.get("pick")?.split(",").filter(Boolean).slice(0, COMPARED) ?? [incident.id];
  const pick = (id: string) => {
    const next = picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id].slice(-COMPARED);
    setQuery({ pick: next.join(",") }, { replace: true });
  };
  const [first, second] = picked;
  const isReady = first !== undefined && second !== undefined;
  return (
    <Card
      id="sib"
      title="Others like it"
      aside={
        <button
          type="button"
          class="btn small"
          aria-disabled={isReady ? undefined : "true"}
          title={isReady ? undefined : "Mark two incidents first"}
          onClick={() => isReady && go(href(`i/${encodeURIComponent(first)}`, { with: second }))}
        >
          Compare two…
        </button>
      }
    >
      <Part
        value={siblings.items.length > 0 ? siblings.items : undefined}
        failure={siblings.failure}
        onRetry={siblings.reload}
        bones={4}
      >
        {(items) => (
          <ul class="rows tight sib">
            {items.slice(0, SIBLINGS_SHOWN).map((item) => (
              <li class="row" key={`${item.id} ${item.at}`}>
                <label class="pick">
                  <input
                    type="checkbox"
                    checked={picked.includes(item.id)}
                    aria-label={`Compare ${item.id}`}
                    onChange={() => pick(item.id)}
                  />
                </label>
                <div>
                  <a
                    href={href(`i/${encodeURIComponent(item.id)}`)}
                    title={item.id}
                    aria-current={isSame(item, incident) ? "page" : undefined}
                  >
                    <code>{shortId(item.id)}</code>
                  </a>
                  <span class="sub">
                    <Foreign text={describeCaller(item)} />
                  </span>
                </div>
                <span class="sub num">
                  {item.sample?.durationMs === undefined ? "" : milliseconds(item.sample.durationMs)}
                </span>
                <time class="sub num" dateTime={item.at} title={fullTime(item.at)}>
                  {isSame(item, incident) ? "this one" : shortTime(item.at, incident.at)}
                </time>
              </li>
            ))}
          </ul>
        )}
      </Part>
    </Card>
  );
}

/** More of them are on the page of the cause. */
const SIBLINGS_SHOWN = 5;

/** A caller with its tenant. */
function describeCaller({ caller, tenant }: Pick<Incident, "caller" | "tenant">): string {
  const parts = [caller === undefined ? undefined : shortCaller(caller), tenant].filter((part) => part !== undefined);
  return parts.length === 0 ? "caller not kept" : parts.join(" · ");
}

/** Upstreams may use one id twice, so the time belongs to it. */
function isSame(one: Incident, other: Incident): boolean {
  return one.id === other.id && one.at === other.at;
}

function shortTime(at: string, besides: string): string {
  return day(at) === day(besides) ? clock(at) : day(at);
}
