import type { CallStep, Incident } from "../../api/types.ts";
import { milliseconds } from "../../format/numbers.ts";
import { Card } from "../../parts/card.tsx";

const STEPS = [
  "head",
  "authenticate",
  "message",
  "resolve",
  "limits",
  "check",
  "breaker",
  "begin",
  "attempt",
  "judge",
] as const satisfies readonly CallStep[];

/** The highest bar and the lowest, in pixels. Steps differ by a factor of thousands, so heights grow with the logarithm. */
const HIGHEST = 40;
const LOWEST = 4;

/** The way of a call through the gateway: the time of each step, and the one that ended it. */
export function CallPath({ sample }: { readonly sample: NonNullable<Incident["sample"]> }) {
  const { steps, endedAt, durationMs } = sample;
  if (steps === undefined || steps.length === 0) return null;
  const times = new Map(steps.map(({ step, ms }) => [step, ms]));
  const slowest = Math.max(1, ...times.values());
  return (
    <Card
      id="path"
      title="The way of the call"
      class="path"
      aside={durationMs !== undefined && <span class="sub">{milliseconds(durationMs)} in all</span>}
    >
      <ol>
        {STEPS.map((step) => {
          const ms = times.get(step);
          const isEnd = step === endedAt;
          const height =
            ms === undefined ? 1 : Math.max(LOWEST, (Math.log10(1 + ms) / Math.log10(1 + slowest)) * HIGHEST);
          return (
            <li key={step} class={isEnd ? "broke" : ms === undefined ? "unreached" : ""}>
              <i style={{ height: `${height}px` }} />
              <b>
                {step}
                {isEnd && <span class="sr">, where it ended</span>}
              </b>
              <span>{ms === undefined ? (isEnd ? "ended here" : "not reached") : milliseconds(ms)}</span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
