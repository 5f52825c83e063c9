import type { Hits, Incident, IncidentClass, Page, Range, Series } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, withNoun } from "../../format/numbers.ts";
import { ago, fullTime } from "../../format/time.ts";
import { EFFECT_WORDS, shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { ShareBars } from "../../parts/share-bars.tsx";
import { now } from "../../state/clock.ts";
import { useResource } from "../../state/resource.ts";
import { href, place, setQuery } from "../../state/router.ts";
import { RANGE_WORDS, STEP_WORDS } from "../now/ranges.ts";
import { OneCauseChart } from "./cause-chart.tsx";
import { shortId } from "./facts.ts";
import { IncidentTable } from "./incident-table.tsx";
import "../../style/lists.css";

/** One cause: all incidents with one fingerprint. */
export function CausePage({ id }: { readonly id: string }) {
  return <OneCause key={id} fingerprint={id} />;
}

function OneCause({ fingerprint }: { readonly fingerprint: string }) {
  const cause = useResource<IncidentClass>(`incident-classes/${encodeURIComponent(fingerprint)}`);
  return (
    <div class="page incident">
      <nav class="crumbs" aria-label="Where you are">
        <a href={href("")}>Now</a>
        <Icon name="arrow" size={12} />
        <a href={href("incidents")}>Incidents</a>
        <Icon name="arrow" size={12} />
        <span>cause</span>
      </nav>
      {cause.value === undefined ? (
        <>
          <header class="head">
            <h1>{cause.failure?.status === 404 ? "No cause has this fingerprint." : "Cause"}</h1>
          </header>
          <Part value={undefined} failure={cause.failure} onRetry={cause.reload} bones={10}>
            {() => null}
          </Part>
        </>
      ) : (
        <CauseView cause={cause.value} />
      )}
    </div>
  );
}

/** The reason of the cause that stands for those that are too many to be listed separately. */
const OTHER_REASON = "other";
/** This many causes are listed separately in a day, for one upstream and in all. */
const TOLD_APART = { upstream: 1_000, total: 10_000 } as const;

function CauseView({ cause }: { readonly cause: IncidentClass }) {
  const { fingerprint, tool, upstream } = cause;
  const newest = useResource<Page<Incident>>(`incidents?fingerprint=${fingerprint}&limit=20`);
  return (
    <>
      <CauseHead cause={cause} />
      <CauseFacts cause={cause} />
      {cause.reason === OTHER_REASON && (
        <section class="band unknown" aria-label="Counted together">
          <div>
            <b>
              More than {count(TOLD_APART.upstream)} causes of one upstream in a day, or {count(TOLD_APART.total)} in
              all; these are counted together.
            </b>
          </div>
        </section>
      )}
      <div class="pair">
        <CauseOverTime fingerprint={fingerprint} />
        <CauseHits fingerprint={fingerprint} />
      </div>
      <Card
        id="newest"
        title="Newest incidents"
        class="list-card"
        aside={
          <a class="all" href={href("incidents", { fingerprint })}>
            All of this cause <Icon name="arrow" size={12} />
          </a>
        }
      >
        <Part value={newest.value} asOf={newest.asOf} failure={newest.failure} onRetry={newest.reload} bones={6}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="gap">None is kept any longer. The counts stay.</p>
            ) : (
              <IncidentTable items={items} classes={[cause]} />
            )
          }
        </Part>
      </Card>
      {cause.reason !== OTHER_REASON && (
        <Card id="what-makes" title="What makes one cause">
          <p class="gap">
            The same upstream{named(upstream)}, tool{named(tool)}, reason, kind and wrong arguments, and an error of the
            same class from the same function and file. Texts do not matter.
          </p>
        </Card>
      )}
    </>
  );
}

function named(name: string | undefined): string {
  return name === undefined ? "" : ` (${showHidden(name)})`;
}

function CauseHead({ cause }: { readonly cause: IncidentClass }) {
  const { fingerprint, title, tool, severity, sampleId } = cause;
  return (
    <header class="head">
      <div>
        <h1>
          <Foreign text={title} />
          {tool !== undefined && (
            <small>
              {" in "}
              <code>
                <Foreign text={tool} />
              </code>
            </small>
          )}
          {severity === "critical" && <span class="tag crit">critical</span>}
        </h1>
        <p class="id">
          <code title={fingerprint}>{shortId(fingerprint)}</code>
          <Copy text={fingerprint} label="the fingerprint" />
        </p>
      </div>
      <div class="acts">
        <Copy text={() => new URL(href(`c/${fingerprint}`), location.origin).href} label="a link">
          Link
        </Copy>
        {sampleId !== undefined && (
          <a class="quiet" href={href(`i/${encodeURIComponent(sampleId)}`)}>
            Newest sampled incident
          </a>
        )}
      </div>
    </header>
  );
}

function CauseFacts({ cause }: { readonly cause: IncidentClass }) {
  const { reason, kind, upstream, effect, firstSeen, lastSeen, message } = cause;
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Seen</dt>
          <dd>
            <b>{withNoun(cause.count, "time")}</b>
          </dd>
        </div>
        <div>
          <dt>First</dt>
          <dd title={fullTime(firstSeen)}>{ago(firstSeen, now.value)}</dd>
        </div>
        <div>
          <dt>Last</dt>
          <dd title={fullTime(lastSeen)}>{ago(lastSeen, now.value)}</dd>
        </div>
        {upstream !== undefined && (
          <div>
            <dt>Upstream</dt>
            <dd>
              <a href={href(`upstreams/${encodeURIComponent(upstream)}`)}>
                <Foreign text={upstream} />
              </a>
            </dd>
          </div>
        )}
        <div>
          <dt>Reason</dt>
          <dd>
            <code>
              <Foreign text={reason} />
            </code>
          </dd>
        </div>
        <div>
          <dt>Kind</dt>
          <dd>
            <code>
              <Foreign text={kind} />
            </code>
          </dd>
        </div>
        {effect !== undefined && (
          <div>
            <dt>Worst effect</dt>
            <dd class={`effect ${effect}`}>
              <Icon name={effect} />
              {EFFECT_WORDS[effect]}
            </dd>
          </div>
        )}
      </dl>
      {message !== "" && (
        <p class="cause-message">
          <Foreign text={message} />
        </p>
      )}
    </>
  );
}

const CHART_RANGES = ["24h", "30d"] as const satisfies readonly Range[];

function CauseOverTime({ fingerprint }: { readonly fingerprint: string }) {
  const range = CHART_RANGES.find((name) => name === place.value.query.get("range")) ?? "24h";
  const series = useResource<Series>(`incident-series?by=fingerprint&fingerprint=${fingerprint}&range=${range}`);
  return (
    <Card
      id="over-time"
      title="Over time"
      class="plot"
      aside={
        <fieldset class="seg">
          <legend class="sr">Range</legend>
          {CHART_RANGES.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="cause-range"
                checked={name === range}
                onChange={() => setQuery({ range: name }, { replace: true })}
              />
              <span>{RANGE_WORDS[name].button}</span>
            </label>
          ))}
        </fieldset>
      }
    >
      <Part value={series.value} asOf={series.asOf} failure={series.failure} onRetry={series.reload} bones={8}>
        {(value) => (
          <OneCauseChart
            series={value}
            fingerprint={fingerprint}
            what={`Incidents of this cause ${STEP_WORDS[value.step]} in ${RANGE_WORDS[range].last}`}
          />
        )}
      </Part>
    </Card>
  );
}

function CauseHits({ fingerprint }: { readonly fingerprint: string }) {
  const callers = useResource<Hits>(`incident-hits?by=caller&fingerprint=${fingerprint}&limit=8`);
  const tenants = useResource<Hits>(`incident-hits?by=tenant&fingerprint=${fingerprint}&limit=4`);
  const of = callers.value?.of ?? tenants.value?.of;
  return (
    <Card id="hit" title="Who is hit" aside={of !== undefined && <span class="sub">of the newest {count(of)}</span>}>
      <Part value={callers.value} asOf={callers.asOf} failure={callers.failure} onRetry={callers.reload} bones={6}>
        {({ items, count: all }) => (
          <div class="hit-part">
            <h3>{withNoun(all, "caller")}</h3>
            <ShareBars
              items={items.map(({ group, count: hits }) => ({
                key: group,
                name: shortCaller(group),
                to: href(`callers/${encodeURIComponent(group)}`),
                count: hits,
              }))}
            />
            {all === 0 && <p class="sub">No caller was kept.</p>}
          </div>
        )}
      </Part>
      {tenants.value !== undefined && tenants.value.items.length > 0 && (
        <div class="hit-part">
          <h3>{withNoun(tenants.value.count, "tenant")}</h3>
          <ShareBars
            items={tenants.value.items.map(({ group, count: hits }) => ({
              key: group,
              name: group,
              to: href("incidents", { fingerprint, tenant: group }),
              count: hits,
            }))}
          />
        </div>
      )}
    </Card>
  );
}
