import { useEffect, useRef, useState } from "preact/hooks";
import type { Overview } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, share } from "../../format/numbers.ts";
import { Skeleton } from "../../parts/skeleton.tsx";
import { now } from "../../state/clock.ts";
import { href } from "../../state/router.ts";
import { changeWords } from "../changes/change-words.ts";
import { overviewRange, RANGE_WORDS } from "./ranges.ts";
import type { KeptParts, PartValue } from "./use-overview.ts";
import { type NowVerdict, verdict } from "./verdict.ts";

/** Announced at most so often. */
const ANNOUNCE_MS = 30_000;

/** The first sentence of the page, and the figures that prove it. */
export function VerdictHead({
  overview,
  parts,
  skewMs,
}: {
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly skewMs: number;
}) {
  const said = overview && verdict(overview, now.value + skewMs);
  const announced = useAnnounced(said?.first);
  return (
    <section class="verdict" aria-labelledby="verdict">
      <h1 id="verdict">
        {said === undefined ? (
          <span class="sr">Now</span>
        ) : (
          <>
            <b class={said.tone}>{showHidden(said.first)}</b> {showHidden(said.rest)}
          </>
        )}
      </h1>
      <p class="sr" aria-live="polite">
        {announced}
      </p>
      {said === undefined && <Skeleton lines={2} />}
      {said !== undefined && said.second !== "" && <SecondLine said={said} />}
      {overview !== undefined && <Figures overview={overview} parts={parts} />}
    </section>
  );
}

/** What changed shortly before is a link to the changes of its kind. */
function SecondLine({ said: { second, change } }: { readonly said: NowVerdict }) {
  const noun = change && changeWords(change).noun;
  const [before, after] = noun === undefined ? [second] : second.split(noun, 2);
  if (change === undefined || noun === undefined || after === undefined) return <p>{showHidden(second)}</p>;
  return (
    <p>
      {before}
      <a href={href("changes", { kind: change.kind })}>{showHidden(noun)}</a>
      {showHidden(second.slice((before ?? "").length + noun.length))}
    </p>
  );
}

/** The words for screen readers: the newest first words, but not more often than every 30 s, and not at the start. */
function useAnnounced(first: string | undefined): string {
  const [announced, announce] = useState("");
  const last = useRef<{ words: string; atMs: number }>(undefined);
  useEffect(() => {
    if (first === undefined || last.current?.words === first) return undefined;
    if (last.current === undefined) {
      last.current = { words: first, atMs: 0 };
      return undefined;
    }
    const waitMs = Math.max(0, last.current.atMs + ANNOUNCE_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = { words: first, atMs: Date.now() };
      announce(first);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [first]);
  return announced;
}

/** Four figures: value, unit, and the comparison with the time before. */
function Figures({ overview, parts }: { readonly overview: Overview; readonly parts: KeptParts }) {
  const range = RANGE_WORDS[overviewRange(overview)].button;
  const { calls, classes, hits } = parts;
  const incidents = classes.value?.incidents;
  return (
    <dl class="figures">
      <Figure name="Calls" value={calls.value && count(calls.value.total)} unit={`in ${range}`} />
      <div>
        <dt>Faults</dt>
        <dd>{calls.value === undefined ? <NotKnown /> : <Faults calls={calls.value} />}</dd>
      </div>
      <Figure
        name="For you to fix"
        value={incidents === undefined ? undefined : count(incidents)}
        unit={incidents === 1 ? "incident" : "incidents"}
      />
      <Figure
        name="Callers hit"
        value={hits.value && count(hits.value.callerCount)}
        unit={hits.value && ofCallers(hits.value, calls.value)}
      />
    </dl>
  );
}

function Figure({
  name,
  value,
  unit,
}: {
  readonly name: string;
  readonly value: string | undefined;
  readonly unit?: string | undefined;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value ?? <NotKnown />}
        {value !== undefined && <small> {unit}</small>}
      </dd>
    </div>
  );
}

const NotKnown = () => <small>not known</small>;

function ofCallers({ tenantCount }: PartValue<"hits">, calls: PartValue<"calls"> | undefined): string {
  const all = calls === undefined ? "" : `of ${count(calls.callers)}`;
  const tenants = tenantCount === 0 ? "" : `in ${count(tenantCount)} ${tenantCount === 1 ? "tenant" : "tenants"}`;
  return [all, tenants].filter(Boolean).join(", ");
}

/** The share of calls with a fault for the operator, against the same length of time before. */
function Faults({ calls: { total, byOutcome, before } }: { readonly calls: PartValue<"calls"> }) {
  const present = share(byOutcome.operator, total);
  const past = share(before.operator, before.total);
  if (before.total === 0 || total === 0) return <>{present}</>;
  if (present === past)
    return (
      <>
        {present}
        <small> as before</small>
      </>
    );
  const isMore = byOutcome.operator * before.total > before.operator * total;
  return (
    <>
      {present}
      <small class={isMore ? "bad" : ""}>
        {" "}
        <span aria-hidden="true">{isMore ? "▲" : "▼"}</span>
        <span class="sr">{isMore ? "more:" : "less:"}</span> from {past}
      </small>
    </>
  );
}
