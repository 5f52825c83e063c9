import { useEffect, useState } from "preact/hooks";
import type { Found, Incident, Page } from "../../api/types.ts";
import { fullTime } from "../../format/time.ts";
import { Part } from "../../parts/part.tsx";
import { useResource } from "../../state/resource.ts";
import { href, place } from "../../state/router.ts";
import { CompareView } from "./compare-view.tsx";
import { idTimeMs, normalizeId, shortId } from "./facts.ts";
import { IncidentView } from "./incident-view.tsx";
import { OtherCells } from "./other-cells.tsx";
import "../../style/lists.css";

/** One incident: what the model read, what happened, what to do. With `?with=` two of them, side by side. */
export function IncidentPage({ id: typed }: { readonly id: string }) {
  const id = normalizeId(typed);
  const other = place.value.query.get("with");
  if (other !== null) return <CompareView key={`${id} ${other}`} left={id} right={normalizeId(other)} />;
  const at = place.value.query.get("at");
  return at === null ? <OneIncident key={id} id={id} /> : <LaterUse key={`${id} ${at}`} id={id} at={at} />;
}

/** An incident is written a moment after the answer: so long it may be missing, and so often it is asked for again. */
const YOUNG_MS = 10_000;
const ASK_AGAIN_MS = 1_000;
const ASK_AGAIN = 5;

function OneIncident({ id }: { readonly id: string }) {
  const found = useResource<Incident>(`incidents/${encodeURIComponent(id)}`);
  const [asked, setAsked] = useState(0);
  const [openedAt] = useState(Date.now);
  const madeAt = idTimeMs(id);
  const isMissing = found.value === undefined && isUnknown(found.failure?.status);
  // Clocks differ by seconds, so an id can be from a moment after now.
  const isYoung = madeAt !== undefined && Math.abs(openedAt - madeAt) < YOUNG_MS;
  const isAsking = isMissing && isYoung && asked < ASK_AGAIN;
  useEffect(() => {
    if (!isAsking || found.isLoading) return undefined;
    const timer = setTimeout(() => {
      setAsked((times) => times + 1);
      found.reload();
    }, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isAsking, found.isLoading]);
  if (found.value !== undefined) return <IncidentView incident={found.value} />;
  if (isAsking)
    return (
      <div class="page incident">
        <header class="head">
          <h1>Incident {shortId(id)}</h1>
        </header>
        <p role="status">Incidents are written a moment after the answer. Asking again…</p>
      </div>
    );
  if (isMissing) return <MissingIncident id={id} madeAt={madeAt} />;
  return (
    <div class="page incident">
      <h1 class="sr">Incident {id}</h1>
      <Part value={undefined} failure={found.failure} onRetry={found.reload} bones={12}>
        {() => null}
      </Part>
    </div>
  );
}

/** An id that an upstream used again: the incident of this time, which the id alone does not find. */
function LaterUse({ id, at }: { readonly id: string; readonly at: string }) {
  const found = useResource<Page<Incident>>(`incidents?id=${encodeURIComponent(id)}&limit=10`);
  const incident = found.value?.items.find((item) => item.at === at);
  if (incident !== undefined) return <IncidentView incident={incident} />;
  if (found.value !== undefined) return <OneIncident id={id} />;
  return (
    <div class="page incident">
      <h1 class="sr">Incident {id}</h1>
      <Part value={undefined} failure={found.failure} onRetry={found.reload} bones={12}>
        {() => null}
      </Part>
    </div>
  );
}

/** Not found, or refused because it cannot be an id. */
function isUnknown(status: number | undefined): boolean {
  return status === 404 || status === 400 || status === 422;
}

/** No incident has this id: the three reasons there can be. */
function MissingIncident({ id, madeAt }: { readonly id: string; readonly madeAt: number | undefined }) {
  const near = useResource<{ readonly items: readonly Found[] }>(
    `find?q=${encodeURIComponent(id.slice(0, MAX_SHOWN_ID))}`,
  );
  const others = (near.value?.items ?? []).filter((item) => item.type === "incident" && item.id !== id);
  const approval = near.value?.items.find((item) => item.type === "approval" && item.id === id);
  return (
    <div class="page incident missing">
      <h1>No incident has this id.</h1>
      <p class="id">
        <code>{id.slice(0, MAX_SHOWN_ID)}</code>
      </p>
      {approval !== undefined && (
        <p>
          It is the id of an approval: <a href={href(`approvals/${encodeURIComponent(id)}`)}>open the approval</a>.
        </p>
      )}
      <ol class="points">
        <li>
          It was typed wrongly.
          {madeAt === undefined && " An id has 26 digits and letters, without I, L, O and U."}
          {others.length > 0 && (
            <>
              {" "}
              Ids of the last hour that differ in one character:
              <ul class="near">
                {others.map((item) => (
                  <li key={item.id}>
                    <a href={href(`i/${encodeURIComponent(item.id)}`)}>
                      <code>{item.id}</code>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
        </li>
        <li>
          It is older than this gateway keeps incidents (<code>incidents.keep</code>).
          {madeAt !== undefined &&
            madeAt < Date.now() &&
            ` An incident with this id would be from ${fullTime(madeAt)}.`}
        </li>
        <li>
          It belongs to another gateway, or to an upstream that keeps its own.
          <OtherCells id={id.slice(0, MAX_SHOWN_ID)} />
        </li>
      </ol>
    </div>
  );
}

const MAX_SHOWN_ID = 64;
