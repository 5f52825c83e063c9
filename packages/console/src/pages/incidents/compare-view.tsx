import type { Incident } from "../../api/types.ts";
import { fullTime } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { useResource } from "../../state/resource.ts";
import { go, href } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { compareIncidents, type Difference } from "./compare.ts";
import { shortId } from "./facts.ts";
import { KeptForeign } from "./kept-text.tsx";

/** Two incidents side by side: only what differs. */
export function CompareView({ left, right }: { readonly left: string; readonly right: string }) {
  const first = useResource<Incident>(`incidents/${encodeURIComponent(left)}`);
  const second = useResource<Incident>(`incidents/${encodeURIComponent(right)}`);
  useShortcuts({ Escape: () => go(href(`i/${encodeURIComponent(left)}`)) });
  const both = first.value && second.value ? { left: first.value, right: second.value } : undefined;
  return (
    <div class="page incident">
      <nav class="crumbs" aria-label="Where you are">
        <a href={href("incidents")}>Incidents</a>
        <Icon name="arrow" size={12} />
        <a href={href(`i/${encodeURIComponent(left)}`)}>{shortId(left)}</a>
        <Icon name="arrow" size={12} />
        <span>compared</span>
      </nav>
      <header class="head">
        <h1>Two incidents, what differs</h1>
      </header>
      <Part
        value={both}
        failure={first.failure ?? second.failure}
        onRetry={() => (first.failure === undefined ? second : first).reload()}
        bones={8}
      >
        {(pair) => <Differences {...pair} />}
      </Part>
    </div>
  );
}

function Differences({ left, right }: { readonly left: Incident; readonly right: Incident }) {
  const { differences, same } = compareIncidents(left, right);
  const isOneCause = left.fingerprint === right.fingerprint;
  const unsampled = [left, right].filter(({ sample }) => sample === undefined);
  return (
    <section class="card compare" aria-label="What differs">
      <table class="listing">
        <thead>
          <tr>
            <th scope="col">Differs</th>
            {[left, right].map(({ id, at }, place) => (
              <th key={place} scope="col">
                <a href={href(`i/${encodeURIComponent(id)}`)} title={`${id}, ${fullTime(at)}`}>
                  <code>{shortId(id)}</code>
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map((row) => (
            <tr key={row.member}>
              <th scope="row">{row.member}</th>
              <Side row={row} value={row.left} />
              <Side row={row} value={row.right} />
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p class="gap">Nothing that is kept differs.</p>}
      <footer>
        {same.length > 0 && <span>Same: {same.join(", ")}.</span>}
        {!isOneCause && <span>They have different causes.</span>}
        {unsampled.map(({ id }) => (
          <span key={id}>{shortId(id)} is counted, not sampled: its chain, sentence and fault are not known.</span>
        ))}
      </footer>
    </section>
  );
}

function Side({ row, value }: { readonly row: Difference; readonly value: string | undefined }) {
  const isLines = row.member === "chain";
  if (value === undefined) return <td class="sub">{isLines ? "no other lines" : "none"}</td>;
  const text = row.member === "caller" ? shortCaller(value) : value;
  return <td class={isLines ? "lines" : ""}>{<KeptForeign text={text} />}</td>;
}
