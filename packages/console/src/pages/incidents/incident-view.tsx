import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { apiUrl } from "../../api/client.ts";
import type { Change, Explanation, Incident, IncidentClass, Page, Upstream } from "../../api/types.ts";
import { count, milliseconds } from "../../format/numbers.ts";
import { ago, clock, day, fullTime, span, zoneName } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Copy } from "../../parts/copy.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Icon } from "../../parts/icon.tsx";
import { now } from "../../state/clock.ts";
import { type Resource, useResource } from "../../state/resource.ts";
import { go, href } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { usePageTitle } from "../../state/title.ts";
import { bandSentence } from "./band.ts";
import { CallPath } from "./call-path.tsx";
import { ModelRead, WhatHappened, WhatToDo } from "./columns.tsx";
import { explainPath, idTimeMs, incidentTitle, shortId } from "./facts.ts";
import { OtherCells } from "./other-cells.tsx";
import { OthersLikeIt, ThisCause } from "./same-cause.tsx";
import { type Siblings, useSiblings } from "./siblings.ts";
import { curlCommands, ticketMarkdown } from "./ticket.ts";

/** Changes so long before and after an incident are asked for. */
const AROUND_MS = 30 * 60_000;

/** An incident that was found. Everything but the incident itself is asked for in parallel, and may be missing. */
export function IncidentView({ incident }: { readonly incident: Incident }) {
  const { fingerprint, sample } = incident;
  const explanation = useResource<Explanation>(explainPath(incident));
  const cause = useResource<IncidentClass>(`incident-classes/${fingerprint}`);
  const upstreams = useResource<Page<Upstream>>(incident.upstream === undefined ? undefined : "upstreams?limit=200");
  const changes = useResource<Page<Change>>(changesPath(incident.at));
  const siblings = useSiblings(incident);
  const upstream = upstreams.value?.items.find((item) => item.upstream === incident.upstream);
  usePageTitle(incidentTitle(incident, explanation.value));
  const known = { incident, upstream, cause: cause.value, changes: changes.value?.items };
  return (
    <div class="page incident">
      <Crumbs incident={incident} cause={cause.value} siblings={siblings} />
      <Head incident={incident} explanation={explanation.value} />
      <Facts incident={incident} upstream={upstream} />
      <EffectBand incident={incident} />
      {sample === undefined ? (
        <div class="trip counted">
          <NotSampled incident={incident} cause={cause} />
          <WhatToDo known={known} explanation={explanation} />
        </div>
      ) : (
        <>
          <div class="trip">
            <ModelRead incident={incident} sample={sample} />
            <WhatHappened sample={sample} />
            <WhatToDo known={known} explanation={explanation} />
          </div>
          <CallPath sample={sample} />
        </>
      )}
      <div class="pair">
        <ThisCause incident={incident} cause={cause} changes={changes.value?.items ?? []} />
        <OthersLikeIt incident={incident} siblings={siblings} />
      </div>
      <OtherCells id={incident.id} />
    </div>
  );
}

function changesPath(at: string): string {
  const [since, until] = [-AROUND_MS, AROUND_MS].map((away) => new Date(Date.parse(at) + away).toISOString());
  return `changes?since=${since}&until=${until}&limit=50`;
}

function Crumbs({
  incident,
  cause,
  siblings,
}: {
  readonly incident: Incident;
  readonly cause: IncidentClass | undefined;
  readonly siblings: Siblings;
}) {
  const { newer, older, position } = siblings;
  const open = (one: Incident | undefined) =>
    one === undefined ? undefined : () => go(href(`i/${encodeURIComponent(one.id)}`));
  useShortcuts({ j: open(older), k: open(newer), Escape: () => go(href("incidents")) });
  const name = [cause?.title ?? incident.reason, incident.tool].filter((part) => part !== undefined).join(" · ");
  return (
    <nav class="crumbs" aria-label="Where you are">
      <a href={href("")}>Now</a>
      <Icon name="arrow" size={12} />
      <a href={href(`c/${incident.fingerprint}`)}>
        <Foreign text={name} />
      </a>
      {position !== undefined && cause !== undefined && cause.count > 0 && (
        <>
          <Icon name="arrow" size={12} />
          <span>
            {count(position)} of {count(Math.max(cause.count, position))}
          </span>
        </>
      )}
      {(newer ?? older) !== undefined && (
        <span class="hint">
          <kbd>j</kbd>
          <kbd>k</kbd> next, previous
        </span>
      )}
    </nav>
  );
}

function Head({
  incident,
  explanation,
}: {
  readonly incident: Incident;
  readonly explanation: Explanation | undefined;
}) {
  const { id, tool } = incident;
  const [said, say] = useState("");
  const link = () => new URL(href(`i/${encodeURIComponent(id)}`), location.origin).href;
  const address = apiUrl(`incidents/${encodeURIComponent(id)}`).href;
  const ticket = () => ticketMarkdown(incident, { explanation, link: link() });
  const copy = (text: () => string, what: string) => () =>
    void navigator.clipboard.writeText(text()).then(() => say(`Copied ${what}.`));
  useShortcuts({
    y: copy(() => id, "the incident id"),
    c: copy(link, "the link"),
    t: copy(ticket, "the text for a ticket"),
  });
  return (
    <header class="head">
      <div>
        <h1>
          <Foreign text={incidentTitle(incident, explanation)} />
          {tool !== undefined && (
            <small>
              {" while "}
              <code>
                <Foreign text={tool} />
              </code>
              {" ran"}
            </small>
          )}
        </h1>
        <p class="id">
          <code>{id}</code>
          <Copy text={id} label="the incident id" />
        </p>
        <UsedTwice incident={incident} />
        <p class="sub" role="status">
          {said}
        </p>
      </div>
      <div class="acts">
        <Copy text={link} label="a link">
          Link
        </Copy>
        <Copy text={ticket} label="a text for a ticket">
          For a ticket
        </Copy>
        <Copy text={() => curlCommands(incident, { apiAddress: address })} label="the requests as curl">
          curl
        </Copy>
        <a class="quiet" href={address} target="_blank" rel="noreferrer">
          JSON
        </a>
      </div>
    </header>
  );
}

/** Says that an upstream has used the id for another incident too. */
function UsedTwice({ incident: { id, at } }: { readonly incident: Incident }) {
  const all = useResource<Page<Incident>>(`incidents?id=${encodeURIComponent(id)}&limit=10`);
  const twin = all.value?.items.find((item) => item.id === id && item.at !== at);
  if (twin === undefined) return null;
  const isFirst = Date.parse(at) < Date.parse(twin.at);
  return (
    <p class="sub">
      An upstream used this id twice; this is the {isFirst ? "first" : "later one"}.{" "}
      <a class="plain" href={href(`i/${encodeURIComponent(id)}`, { at: twin.at })}>
        The other, {fullTime(twin.at)}
      </a>
    </p>
  );
}

const BREAKER_TAGS = {
  open: "breaker open",
  "half-open": "breaker half-open",
  closed: undefined,
} as const satisfies Record<NonNullable<Upstream["breaker"]>, string | undefined>;

function Facts({ incident, upstream }: { readonly incident: Incident; readonly upstream: Upstream | undefined }) {
  const { at, tenant, trace, upstreamIncident, sample } = incident;
  const tag = upstream?.breaker === undefined ? undefined : BREAKER_TAGS[upstream.breaker];
  const took = [sample?.durationMs === undefined ? undefined : milliseconds(sample.durationMs), sample?.replica].filter(
    (part) => part !== undefined,
  );
  const client = [
    [sample?.client?.name, sample?.client?.version].filter(Boolean).join(" "),
    sample?.protocol === undefined ? "" : `MCP ${sample.protocol}`,
  ].filter((part) => part !== "");
  return (
    <dl class="facts">
      <HeadFact name="When">
        <time dateTime={at} title={fullTime(at)}>
          {day(at) !== day(now.value) && `${day(at)}, `}
          <b>{clock(at)}</b> {zoneName()} · {ago(at, now.value)}
        </time>
      </HeadFact>
      <HeadFact name="Caller">
        <CallerFact caller={incident.caller} />
        {tenant !== undefined && (
          <>
            {" · "}
            <Foreign text={tenant} />
          </>
        )}
      </HeadFact>
      {incident.upstream !== undefined && (
        <HeadFact name="Upstream">
          <a href={href(`upstreams/${encodeURIComponent(incident.upstream)}`)}>
            <Foreign text={incident.upstream} />
          </a>
          {tag !== undefined && <span class="tag crit">{tag}</span>}
        </HeadFact>
      )}
      {took.length > 0 && (
        <HeadFact name="Took">
          <Foreign text={took.join(" · ")} />
        </HeadFact>
      )}
      {client.length > 0 && (
        <HeadFact name="Client">
          <Foreign text={client.join(" · ")} />
        </HeadFact>
      )}
      {trace !== undefined && (
        <HeadFact name="Trace">
          <a href={href("incidents", { trace })} title={`Incidents of the trace ${trace}`}>
            <code>{trace.slice(0, 8)}…</code>
          </a>
          <Copy text={trace} label="the trace id" />
        </HeadFact>
      )}
      {upstreamIncident !== undefined && upstreamIncident !== incident.id && (
        <HeadFact name="Id at the upstream">
          <code>
            <Foreign text={upstreamIncident} />
          </code>
        </HeadFact>
      )}
    </dl>
  );
}

function HeadFact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CallerFact({ caller }: { readonly caller: string | undefined }) {
  if (caller === undefined)
    return (
      <span title="The call came without a known caller, or incidents.callers is drop.">
        not kept (<code>incidents.callers</code>)
      </span>
    );
  const isDigest = caller.startsWith("sha256:");
  return (
    <>
      <a href={href(`callers/${encodeURIComponent(caller)}`)}>
        <Foreign text={shortCaller(caller)} />
      </a>
      {isDigest && (
        <span class="sub">
          {" "}
          (<code>incidents.callers: digest</code>)
        </span>
      )}
    </>
  );
}

function EffectBand({ incident }: { readonly incident: Incident }) {
  const { effect, first, rest } = bandSentence(incident);
  return (
    <section class={`band ${effect ?? "unknown"}`} aria-label="Effect">
      {effect !== undefined && <Icon name={effect} size={28} />}
      <div>
        <b>{first}</b> {rest}
      </div>
    </section>
  );
}

/** What stands in place of two columns if only the row was kept. */
function NotSampled({ incident, cause }: { readonly incident: Incident; readonly cause: Resource<IncidentClass> }) {
  const id = cause.value?.sampleId;
  const sampledAt = id === undefined ? undefined : idTimeMs(id);
  const away = sampledAt === undefined ? undefined : Math.abs(sampledAt - Date.parse(incident.at));
  return (
    <section class="card" aria-labelledby="counted">
      <header>
        <h2 id="counted">Counted, not sampled</h2>
      </header>
      <div class="gap">
        <p>
          This one is counted, not sampled: some of each cause are kept in a minute and process (
          <code>incidents.samples</code>). What the model read and what was thrown is not known for this one.
        </p>
        {id !== undefined && id !== incident.id && (
          <p>
            <a class="plain" href={href(`i/${encodeURIComponent(id)}`)}>
              A sampled one of the same cause{away !== undefined && `, ${span(away)} away`}
            </a>{" "}
            <code>{shortId(id)}</code>
          </p>
        )}
        {cause.value !== undefined && cause.value.message !== "" && (
          <p class="sub">
            Its cause: <Foreign text={cause.value.message} />
          </p>
        )}
      </div>
    </section>
  );
}
