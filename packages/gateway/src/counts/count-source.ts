import type { CallerCountKind, CountedOutcome } from "./counts.ts";

/** A stretch of time in counts of one width. Times are in ms since 1970. */
export interface CountSpan {
  /** In minutes. */
  readonly width: 1 | 60 | 1_440;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Calls of one group with one outcome, over a whole span. */
export interface CallSum {
  readonly group: string;
  readonly outcome: CountedOutcome;
  readonly n: number;
  readonly durations: readonly number[];
}

/** Calls of one group in one stretch of time. */
interface RateStep {
  readonly atMs: number;
  readonly group: string;
  readonly total: number;
  readonly operator: number;
}

/** What some callers did, over a whole span. */
export interface CallerSum {
  readonly tenant: string;
  readonly caller: string;
  readonly policy: string;
  readonly n: number;
  /** The newest, in ms since 1970. */
  readonly lastMs: number;
}

export interface CallerSums {
  /** The largest first. */
  readonly sums: readonly CallerSum[];
  /** How many groups there are, those without a name apart. */
  readonly groups: number;
  /** How much all groups come to. */
  readonly n: number;
}

/** The members by which sums of callers are grouped. Members that are not in it are empty. */
type CallerGroup = readonly [CallerColumn, ...CallerColumn[]];

/** A name that counts of callers have. */
type CallerColumn = "tenant" | "caller" | "policy";

/** Which calls are summed up. */
export interface CallQuestion {
  readonly by: "upstream" | "tool";
  /** Only calls to this upstream. @default of all */
  readonly upstream?: string | undefined;
}

/** The rows of counts, summed up. Methods reject if the store is down. */
export interface CountSource {
  sumCalls(span: CountSpan, question: CallQuestion): Promise<readonly CallSum[]>;
  /** Steps of some groups. */
  callSteps(
    span: CountSpan,
    question: CallQuestion & { readonly groups: readonly string[] },
  ): Promise<readonly RateStep[]>;
  sumCallers(
    span: CountSpan,
    question: {
      readonly what: CallerCountKind;
      readonly by: CallerGroup;
      readonly limit: number;
      /** Only these callers. @default all */
      readonly callers?: readonly string[] | undefined;
    },
  ): Promise<CallerSums>;
  /** Incidents by tenant and by caller: as `sumCallers` gives each, at the cost of one. */
  sumHits(span: CountSpan, limit: number): Promise<Readonly<Record<"tenant" | "caller", CallerSums>>>;
}
