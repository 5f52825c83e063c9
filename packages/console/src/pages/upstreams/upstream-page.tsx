import type { CallRates, Change, Health, IncidentClass, Page, Upstream } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, share, withNoun } from "../../format/numbers.ts";
import { Card } from "../../parts/card.tsx";
import { Effect } from "../../parts/effect.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { POLL_MS, useResource } from "../../state/resource.ts";
import { href } from "../../state/router.ts";
import { ChangeRow } from "../changes/change-row.tsx";
import { inSeconds } from "./upstream-words.ts";
import { UpstreamCard } from "./upstreams-page.tsx";

const REFRESH_MS = 60_000;

/** One upstream: its state, its tools, its causes, its changes. */
export function UpstreamPage({ id }: { readonly id: string }) {
  const name = encodeURIComponent(id);
  const options = { everyMs: REFRESH_MS };
  const upstreams = useResource<Page<Upstream>>("upstreams?limit=200", { everyMs: POLL_MS });
  const health = useResource<Health>("health", options);
  const hour = useResource<CallRates>("call-rates?by=upstream&range=1h", options);
  const tools = useResource<CallRates>(`call-rates?by=tool&range=24h&upstream=${name}`, options);
  const causes = useResource<Page<IncidentClass>>(`incident-classes?upstream=${name}&range=24h&limit=20`, options);
  const changes = useResource<Page<Change>>(`changes?target=${name}&limit=20`, options);
  return (
    <div class="page upstreams">
      <nav class="crumbs" aria-label="Where you are">
        <a href={href("upstreams")}>Upstreams</a>
        <Icon name="arrow" size={12} />
        <span>{showHidden(id)}</span>
      </nav>
      <h1>{showHidden(id)}</h1>
      <Part {...upstreams} onRetry={upstreams.reload} bones={5}>
        {({ items }) => {
          const found = items.find(({ upstream }) => upstream === id);
          return found === undefined ? (
            <p class="empty">
              <b>The configuration names no upstream {showHidden(id)}</b>
              It may have been removed. Its incidents are kept.
            </p>
          ) : (
            <UpstreamCard
              upstream={found}
              asOf={upstreams.asOf}
              rates={hour.value}
              health={health.value}
              isLinked={false}
              onReset={upstreams.reload}
            />
          );
        }}
      </Part>
      <div class="upstream-parts">
        <Card id="tools" title="Tools" note="calls in the last 24 hours">
          <Part {...tools} onRetry={tools.reload} bones={6}>
            {({ groups }) => <Tools groups={groups} />}
          </Part>
        </Card>
        <div class="rail">
          <Card
            id="its-causes"
            title="Causes"
            note="in the last 24 hours"
            aside={
              <a class="all" href={href("incidents", { upstream: id })}>
                Its incidents
                <Icon name="arrow" size={14} />
              </a>
            }
          >
            <Part {...causes} onRetry={causes.reload} bones={4}>
              {({ items }) => <Causes items={items} />}
            </Part>
          </Card>
          <Card id="its-changes" title="Changes">
            <Part {...changes} onRetry={changes.reload} bones={4}>
              {({ items }) =>
                items.length === 0 ? (
                  <p class="empty">Nothing about it has changed in 90 days.</p>
                ) : (
                  <ol class="rows tight">
                    {items.map((one) => (
                      <ChangeRow key={one.id} change={one}>
                        <span class="sub num">
                          <When at={one.at} />
                        </span>
                      </ChangeRow>
                    ))}
                  </ol>
                )
              }
            </Part>
          </Card>
        </div>
      </div>
    </div>
  );
}

function Tools({ groups }: { readonly groups: CallRates["groups"] }) {
  if (groups.length === 0) return <p class="empty">None of its tools was called.</p>;
  return (
    <table class="tool-calls">
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col" class="num">
            Calls
          </th>
          <th scope="col" class="num">
            Faults
          </th>
          <th scope="col" class="num">
            p50
          </th>
          <th scope="col" class="num">
            p95
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((one) => (
          <tr key={one.group}>
            <th scope="row">
              <a href={href("incidents", { tool: one.group })}>
                <code>{showHidden(one.group)}</code>
              </a>
            </th>
            <td class="num">{count(one.calls)}</td>
            <td class={one.faults > 0 ? "num bad" : "num"}>{faultWords(one)}</td>
            <td class="num">{one.p50Ms === undefined ? "–" : inSeconds(one.p50Ms)}</td>
            <td class="num">{one.p95Ms === undefined ? "–" : inSeconds(one.p95Ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function faultWords({ calls, faults }: { readonly calls: number; readonly faults: number }): string {
  return faults === 0 ? "0" : `${count(faults)}, ${share(faults, calls)}`;
}

function Causes({ items }: { readonly items: readonly IncidentClass[] }) {
  if (items.length === 0) return <p class="empty">No incidents.</p>;
  return (
    <ul class="rows tight">
      {items.map((one) => (
        <li key={one.fingerprint} class="row">
          {one.effect !== undefined && <Effect value={one.effect} isShort />}
          <div>
            <a href={href(`c/${one.fingerprint}`)}>
              <b>{showHidden(one.title || one.reason)}</b>
            </a>
            <span class="sub">
              {one.tool !== undefined && <code>{showHidden(one.tool)}</code>} last <When at={one.lastSeen} />
            </span>
          </div>
          <span class="num">{withNoun(one.count, "incident")}</span>
        </li>
      ))}
    </ul>
  );
}
