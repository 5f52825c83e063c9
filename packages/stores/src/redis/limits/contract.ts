/** A token bucket: it starts with `burst` tokens, never holds more, and grows by `perSecond`. */
export interface LimitBucket {
  /** Names the bucket: the same text on every process, and different for every bucket. */
  readonly id: string;
  /** Buckets of one group are asked for in one step. On a cluster they live in one slot. */
  readonly group: string;
  /** Tokens that grow in a second; more than 0, and not necessarily whole. */
  readonly perSecond: number;
  /** The most tokens at one moment: a whole number, at least 1. */
  readonly burst: number;
}

/** What a call takes of one bucket. */
export interface LimitClaim {
  /** The bucket. */
  readonly bucket: LimitBucket;
  /** How many tokens: a whole number, at least 1. A call never takes more than the burst. */
  readonly cost: number;
}

/** The tokens of every claim are taken. */
export interface LimitTaken {
  /** All tokens were taken. */
  readonly ok: true;
  /** The server's time, in µs, at which tokens were taken there; undefined if all of them were held by this process. */
  readonly takenAtUs: number | undefined;
  /**
   * Returns tokens of a call that was not made. A token that could exceed a burst by now is lost instead. Only the first
   * call of it counts.
   */
  giveBack(): void;
}

/** A bucket that had too few tokens. */
export interface LimitShortage {
  /** The bucket with too few tokens. */
  readonly bucket: LimitBucket;
  /** When there will be enough, in ms, unless other calls take them first. */
  readonly waitMs: number;
}

/** At least one bucket had too few tokens, so that none are taken. */
export interface LimitRefused {
  /** No token was taken. */
  readonly ok: false;
  /** The store has answered. */
  readonly away: false;
  /** The longest wait of `short`, in ms. */
  readonly waitMs: number;
  /** The buckets with too few tokens. */
  readonly short: readonly [LimitShortage, ...LimitShortage[]];
}

/** The server does not answer, so that nothing is known. */
export interface LimitAway {
  /** No token was taken. */
  readonly ok: false;
  /** The store does not answer. */
  readonly away: true;
  /** What went wrong. */
  readonly cause: unknown;
}

/** What came of `take`. */
export type LimitAnswer = LimitTaken | LimitRefused | LimitAway;

/** Token buckets. */
export interface Limits {
  /**
   * Takes tokens of every claim, or none. Claims of one group stand next to each other; no bucket stands in two. It
   * waits only if a server has to be asked, and never rejects.
   */
  take(claims: readonly LimitClaim[]): LimitAnswer | Promise<LimitAnswer>;
  /** Whether the server is down; until it is up again, only tokens that this process holds are given. */
  readonly isAway: boolean;
  /** Looks whether the server is set up for limits. Gives a sentence for each thing that is not. */
  check(): Promise<readonly string[]>;
  /** Hands everything back that this process holds. Nothing can be taken afterwards. */
  close(): Promise<void>;
}

/** The refusal of a call, by the buckets that had too few tokens: at least one. */
export function refusedFor(short: readonly LimitShortage[]): LimitRefused {
  return {
    ok: false,
    away: false,
    waitMs: short.reduce((most, { waitMs }) => Math.max(most, waitMs), 0),
    short: short as LimitRefused["short"],
  };
}
