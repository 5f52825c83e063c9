import type { Hits, LimitRefusal, Limits } from "../../api/types.ts";
import { count } from "../../format/numbers.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { useResource } from "../../state/resource.ts";
import { href, place, setQuery } from "../../state/router.ts";
import { mayAct } from "../../state/session.ts";
import { RANGE_NAMES, RANGE_WORDS, rangeInAddress } from "../now/ranges.ts";
import { KeysTab } from "./keys-tab.tsx";
import { LIMITS_DOWN, listLimits, RANKINGS, type RankedCaller, type Ranking, rankCallers, rateWords } from "./rank.ts";
import "../../style/lists.css";
import "../../style/callers.css";

/** Who calls, who is refused, and the keys. */
export function CallersPage() {
  const isKeys = place.value.query.get("tab") === "keys" && mayAct("admin");
  return (
    <div class="page callers">
      <header class="head">
        <h1>Callers</h1>
      </header>
      {mayAct("admin") && (
        <nav class="subtabs" aria-label="Parts of this page">
          <a href={href("callers")} aria-current={isKeys ? undefined : "page"}>
            Activity
          </a>
          <a href={href("callers", { tab: "keys" })} aria-current={isKeys ? "page" : undefined}>
            Keys
          </a>
        </nav>
      )}
      {isKeys ? <KeysTab /> : <CallerActivity />}
    </div>
  );
}

function CallerActivity() {
  return (
    <>
      <LimitsInForce />
      <Ranked />
    </>
  );
}

function LimitsInForce() {
  const limits = useResource<Limits>("limits");
  return (
    <Card id="limits" title="Limits in force">
      <Part value={limits.value} asOf={limits.asOf} failure={limits.failure} onRetry={limits.reload} bones={2}>
        {(value) => {
          const all = listLimits(value);
          return (
            <>
              {value.isAway && (
                <p class="part-away" role="status">
                  The store of the limits is down. {LIMITS_DOWN[value.away]}
                </p>
              )}
              {all.length === 0 ? (
                <p class="gap">
                  The file sets no limits (<code>limits</code>).
                </p>
              ) : (
                <dl class="limits">
                  {all.map(({ name, rate }) => (
                    <div key={name}>
                      <dt>
                        <Foreign text={name} />
                      </dt>
                      <dd>{rateWords(rate)}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </>
          );
        }}
      </Part>
    </Card>
  );
}

const RANKING_WORDS = {
  refused: "Refused",
  incidents: "Incidents",
  calls: "Calls",
} as const satisfies Record<Ranking, string>;

/** So many callers are asked for. */
const CALLERS_LISTED = 50;

function Ranked() {
  const { query } = place.value;
  const range = rangeInAddress(query.get("range"));
  const by = RANKINGS.find((name) => name === query.get("by")) ?? "refused";
  const refusals = useResource<{ readonly items: readonly LimitRefusal[] }>(
    `limit-refusals?by=caller&range=${range}&limit=${CALLERS_LISTED}`,
  );
  const hits = useResource<Hits>(`incident-hits?by=caller&range=${range}&limit=${CALLERS_LISTED}`);
  const isThere = refusals.value !== undefined || hits.value !== undefined;
  const ranked = rankCallers({ refusals: refusals.value?.items ?? [], hits: hits.value?.items ?? [] }, by);
  return (
    <Card
      id="ranked"
      title="Who is refused or hit"
      note={`in ${RANGE_WORDS[range].last}`}
      class="list-card"
      aside={
        <fieldset class="seg">
          <legend class="sr">Range</legend>
          {RANGE_NAMES.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="range"
                checked={name === range}
                onChange={() => setQuery({ range: name }, { replace: true })}
              />
              <span>{RANGE_WORDS[name].button}</span>
            </label>
          ))}
        </fieldset>
      }
    >
      <Part
        value={isThere ? ranked : undefined}
        asOf={refusals.asOf ?? hits.asOf}
        failure={refusals.failure ?? hits.failure}
        onRetry={() => {
          refusals.reload();
          hits.reload();
        }}
        bones={8}
      >
        {(rows) =>
          rows.length === 0 ? (
            <div class="empty">
              <b>No caller was refused or hit.</b>
              Callers whose calls all went well are not listed here.
            </div>
          ) : (
            <RankedTable rows={rows} by={by} />
          )
        }
      </Part>
    </Card>
  );
}

function RankedTable({ rows, by }: { readonly rows: readonly RankedCaller[]; readonly by: Ranking }) {
  return (
    <table class="listing callers-list">
      <thead>
        <tr>
          <th scope="col">Caller</th>
          <th scope="col">Limit that refuses it</th>
          {RANKINGS.map((name) => (
            <th key={name} scope="col" class="num" aria-sort={name === by ? "descending" : "none"}>
              <button type="button" class="sort" onClick={() => setQuery({ by: name }, { replace: true })}>
                {RANKING_WORDS[name]}
                <span aria-hidden="true">{name === by ? " ▾" : ""}</span>
              </button>
            </th>
          ))}
          <th scope="col" class="num">
            Last
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.caller}>
            <th scope="row">
              <a href={href(`callers/${encodeURIComponent(row.caller)}`)}>
                <b>
                  <Foreign text={shortCaller(row.caller)} />
                </b>
              </a>
              {row.tenant !== undefined && (
                <span class="sub">
                  <Foreign text={row.tenant} />
                </span>
              )}
            </th>
            <td class="l-limit">
              {row.limits.map(({ policy, rate }) => (
                <span key={policy} class="limit">
                  <code>
                    <Foreign text={policy} />
                  </code>
                  {rate !== undefined && <span class="sub">{rateWords(rate)}</span>}
                </span>
              ))}
            </td>
            <Count words="refused" value={row.refused} isBig={by === "refused"} />
            <Count words="incidents" value={row.incidents} isBig={by === "incidents"} />
            <Count words="calls" value={row.calls} isBig={by === "calls"} />
            <td class="num l-last">
              <When at={row.last} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({
  words,
  value,
  isBig,
}: {
  readonly words: string;
  readonly value: number | undefined;
  readonly isBig: boolean;
}) {
  return (
    <td class={isBig ? "num l-count big" : "num l-count"}>
      {value === undefined ? <span title="Not known">–</span> : count(value)}
      <span class="unit"> {words}</span>
    </td>
  );
}
