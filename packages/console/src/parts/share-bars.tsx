import { showHidden } from "../format/foreign.ts";
import { count } from "../format/numbers.ts";

/** Something with a count. */
export interface BarItem {
  readonly key: string;
  readonly name: string;
  /** Where its name leads. */
  readonly to?: string | undefined;
  readonly count: number;
}

/** A short list with a bar for each count, the longest for the largest. */
export function ShareBars({ items }: { readonly items: readonly BarItem[] }) {
  const largest = Math.max(1, ...items.map((item) => item.count));
  return (
    <ul class="bars">
      {items.map((item) => (
        <li key={item.key}>
          {item.to === undefined ? <bdi>{showHidden(item.name)}</bdi> : <a href={item.to}>{showHidden(item.name)}</a>}
          <span class="bar">
            <i style={{ width: `${(item.count / largest) * 100}%` }} />
          </span>
          <span class="num">{count(item.count)}</span>
        </li>
      ))}
    </ul>
  );
}
