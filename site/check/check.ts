// What every check of the website gets and returns.
import type { Browser } from "playwright-core";

/** What a check may use. */
export interface CheckContext {
  /** The built site. */
  readonly folder: string;
  /** Where it is served, without a slash at the end. */
  readonly address: string;
  /** How long the build took; undefined if the folder was built before. */
  readonly buildMs: number | undefined;
  /** Limits of time are multiplied by this, for machines that do other work too. */
  readonly slack: number;
  /** Whether the performance score of Lighthouse counts too. */
  readonly isStrict: boolean;
  /** Whether pictures are renewed instead of compared. */
  readonly updates: boolean;
  /** The browser, started at the first call. */
  openBrowser(): Promise<Browser>;
  /** Builds the site once more, into a folder that is removed later. */
  buildAgain(): Promise<string>;
}

/** What a check found. */
export interface CheckResult {
  /** What was looked at, with figures: one line. */
  readonly figures: string;
  /** One line each. A check without problems has passed. */
  readonly problems: readonly string[];
}

/** A check of the built site. */
export type SiteCheck = (context: CheckContext) => Promise<CheckResult>;
