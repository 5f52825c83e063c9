import type { Incident, IncidentClass } from "../../api/types.ts";
import { shortCaller } from "../../format/words.ts";
import { Effect } from "../../parts/effect.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { When } from "../../parts/when.tsx";
import { href } from "../../state/router.ts";
import { incidentEffect, shortId } from "./facts.ts";

/** Incidents as rows. `chosen` has the focus of the keyboard; `marked` are to be compared. */
export function IncidentTable({
  items,
  classes = [],
  chosen,
  marked = [],
  onMark,
}: {
  readonly items: readonly Incident[];
  /** Causes, for their titles. @default none: reasons are shown */
  readonly classes?: readonly IncidentClass[];
  readonly chosen?: number | undefined;
  /** @default none */
  readonly marked?: readonly string[];
  /** Marks one for comparison. Undefined: there are no boxes. */
  readonly onMark?: (id: string) => void;
}) {
  const titles = new Map(classes.map(({ fingerprint, title }) => [fingerprint, title]));
  return (
    <table class="listing incidents-list">
      <thead>
        <tr>
          {onMark !== undefined && (
            <th scope="col">
              <span class="sr">Compare</span>
            </th>
          )}
          <th scope="col">When</th>
          <th scope="col">Cause</th>
          <th scope="col">Tool</th>
          <th scope="col">Caller</th>
          <th scope="col">Effect</th>
          <th scope="col">Id</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, place) => (
          <Row
            key={`${item.id} ${item.at}`}
            item={item}
            title={titles.get(item.fingerprint)}
            isChosen={place === chosen}
            isMarked={marked.includes(item.id)}
            onMark={onMark}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  item,
  title,
  isChosen,
  isMarked,
  onMark,
}: {
  readonly item: Incident;
  readonly title: string | undefined;
  readonly isChosen: boolean;
  readonly isMarked: boolean;
  readonly onMark: ((id: string) => void) | undefined;
}) {
  const effect = incidentEffect(item);
  return (
    <tr class={isChosen ? "chosen" : ""}>
      {onMark !== undefined && (
        <td class="l-pick">
          <label class="pick">
            <input
              type="checkbox"
              checked={isMarked}
              aria-label={`Compare ${item.id}`}
              onChange={() => onMark(item.id)}
            />
          </label>
        </td>
      )}
      <td class="l-when">
        <When at={item.at} />
      </td>
      <th scope="row" class="l-cause">
        <a href={href(`i/${encodeURIComponent(item.id)}`)}>
          <b>
            <Foreign text={title ?? item.reason} />
          </b>
        </a>
        <span class="sub">
          <Foreign text={title === undefined ? item.kind : item.reason} />
        </span>
      </th>
      <td class="l-tool">
        {item.tool !== undefined && (
          <code>
            <Foreign text={item.tool} />
          </code>
        )}
      </td>
      <td class="l-caller">
        {item.caller !== undefined && <Foreign text={shortCaller(item.caller)} />}
        {item.tenant !== undefined && (
          <span class="sub">
            <Foreign text={item.tenant} />
          </span>
        )}
      </td>
      <td class="l-effect">{effect !== undefined && <Effect value={effect} isShort />}</td>
      <td class="l-id">
        <code title={item.id}>{shortId(item.id)}</code>
      </td>
    </tr>
  );
}
