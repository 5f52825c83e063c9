import { useState } from "preact/hooks";
import { change } from "../../api/client.ts";
import type { Incident, IncidentClass, LimitRefusal, Page } from "../../api/types.ts";
import { count, withNoun } from "../../format/numbers.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { RoleButton } from "../../parts/role-button.tsx";
import { When } from "../../parts/when.tsx";
import { type Resource, useResource } from "../../state/resource.ts";
import { href } from "../../state/router.ts";
import { IncidentTable } from "../incidents/incident-table.tsx";
import { callerParts, rateWords } from "./rank.ts";
import "../../style/lists.css";
import "../../style/callers.css";

/** One caller: what is kept about it. */
export function CallerPage({ id }: { readonly id: string }) {
  return <OneCaller key={id} caller={id} />;
}

function OneCaller({ caller }: { readonly caller: string }) {
  const encoded = encodeURIComponent(caller);
  const incidents = useResource<Page<Incident>>(`incidents?caller=${encoded}&limit=20`);
  const classes = useResource<Page<IncidentClass>>("incident-classes?range=30d&limit=200");
  const refusals = useResource<{ readonly items: readonly LimitRefusal[] }>(
    "limit-refusals?by=caller&range=24h&limit=50",
  );
  const [said, say] = useState("");
  return (
    <div class="page incident callers">
      <nav class="crumbs" aria-label="Where you are">
        <a href={href("callers")}>Callers</a>
        <Icon name="arrow" size={12} />
        <span>
          <Foreign text={shortCaller(caller)} />
        </span>
      </nav>
      <CallerHead
        caller={caller}
        onErased={(erased) => {
          say(`${withNoun(erased, "incident was", "incidents were")} erased. Counts stay, since they name nobody.`);
          incidents.reload();
          refusals.reload();
        }}
      />
      <p class="said" role="status">
        {said}
      </p>
      <div class="pair">
        <WhatIsKept caller={caller} incidents={incidents.value} />
        <RefusedByLimits caller={caller} refusals={refusals} />
      </div>
      <Card
        id="its-incidents"
        title="Its incidents"
        class="list-card"
        aside={
          <a class="all" href={href("incidents", { caller })}>
            All of this caller <Icon name="arrow" size={12} />
          </a>
        }
      >
        <Part
          value={incidents.value}
          asOf={incidents.asOf}
          failure={incidents.failure}
          onRetry={incidents.reload}
          bones={6}
        >
          {({ items }) =>
            items.length === 0 ? (
              <p class="gap">No incident of this caller is kept.</p>
            ) : (
              <IncidentTable items={items} classes={classes.value?.items ?? []} />
            )
          }
        </Part>
      </Card>
    </div>
  );
}

function CallerHead({ caller, onErased }: { readonly caller: string; readonly onErased: (erased: number) => void }) {
  const [isErasing, setErasing] = useState(false);
  const [typed, setTyped] = useState("");
  const name = shortCaller(caller);
  return (
    <header class="head">
      <div>
        <h1>
          <Foreign text={name} />
        </h1>
        <p class="id">
          <code>
            <Foreign text={caller} />
          </code>
          <Copy text={caller} label="the id of the caller" />
        </p>
      </div>
      <div class="acts">
        <RoleButton needs="admin" onClick={() => setErasing(true)}>
          Erase…
        </RoleButton>
      </div>
      {isErasing && (
        <Confirm<{ readonly erased: number }>
          title="Erase what is kept about this caller"
          action="Erase"
          isGrave
          isReady={typed === name}
          run={() => change("DELETE", `callers/${encodeURIComponent(caller)}/incidents`)}
          onDone={({ erased }) => {
            setErasing(false);
            setTyped("");
            onErased(erased);
          }}
          onClose={() => {
            setErasing(false);
            setTyped("");
          }}
        >
          <p>
            All incidents of this caller are erased, with their texts and samples. Counts stay, since they name nobody.
            This cannot be undone. The record names a digest of the caller, not the caller.
          </p>
          <div class="key-fields">
            <label>
              <span>
                Type{" "}
                <b>
                  <Foreign text={name} />
                </b>{" "}
                to go on
              </span>
              <input
                type="text"
                value={typed}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          </div>
        </Confirm>
      )}
    </header>
  );
}

function WhatIsKept({
  caller,
  incidents,
}: {
  readonly caller: string;
  readonly incidents: Page<Incident> | undefined;
}) {
  const parts = callerParts(caller);
  const facts: readonly (readonly [string, string])[] =
    parts === undefined
      ? [[caller.startsWith("sha256:") ? "Digest" : "Id", caller]]
      : [
          ["Comes with", parts.issuer === "key" ? "an API key" : `a token of ${parts.issuer}`],
          ["Tenant", parts.tenant],
          ["Name", parts.subject],
        ];
  return (
    <Card id="kept" title="What is kept">
      <dl class="limits">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Foreign text={value} />
            </dd>
          </div>
        ))}
        {incidents !== undefined && (
          <div>
            <dt>Incidents</dt>
            <dd>
              {incidents.next === null ? count(incidents.items.length) : `more than ${count(incidents.items.length)}`}
            </dd>
          </div>
        )}
      </dl>
      <p class="gap sub">
        {parts === undefined && caller.startsWith("sha256:") ? (
          <>
            The configuration keeps callers as a digest (<code>incidents.callers: digest</code>).
          </>
        ) : (
          "Incidents keep the id of the caller, its tenant, the tool and what went wrong. Arguments of calls are not kept."
        )}
      </p>
    </Card>
  );
}

function RefusedByLimits({
  caller,
  refusals,
}: {
  readonly caller: string;
  readonly refusals: Resource<{ readonly items: readonly LimitRefusal[] }>;
}) {
  return (
    <Card id="refused" title="Refused by limits" note="in the last 24 hours">
      <Part value={refusals.value} asOf={refusals.asOf} failure={refusals.failure} onRetry={refusals.reload} bones={3}>
        {({ items }) => {
          const own = items.filter((item) => item.caller === caller);
          return own.length === 0 ? (
            <p class="gap">It is not among the {count(items.length)} callers that were refused most.</p>
          ) : (
            <ul class="rows tight">
              {own.map(({ policy, rate, refused, last }) => (
                <li class="row" key={policy}>
                  <div>
                    <code>
                      <Foreign text={policy} />
                    </code>
                    {rate !== undefined && <span class="sub">{rateWords(rate)}</span>}
                  </div>
                  <b class="num">{count(refused)}</b>
                  <span class="sub num">
                    <When at={last} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Part>
    </Card>
  );
}
