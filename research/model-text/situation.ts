/** The groups of the page, in their order. */
export const GROUPS = {
  arguments: "Wrong arguments",
  missing: "Missing things",
  refusals: "Refusals",
  conflicts: "Conflicts and preconditions",
  outages: "Outages, seen by a guarded server",
  client: "The client kit",
  foreign: "Servers that do not use Recourse, through the client kit",
  rest: "REST replies through the bridge",
  dialects: "Wrong arguments in every dialect",
  reference: "The reference servers",
} as const;

/** One failure, and how to cause it. */
export interface Situation {
  /** Unique, and the same for ever. */
  readonly id: string;
  readonly group: keyof typeof GROUPS;
  /** What happened, in one line. */
  readonly what: string;
  /** Causes the failure, and returns the text that a model reads. */
  readonly run: () => Promise<string>;
}

/** A situation of a group whose name is given once. */
export type InGroup = Omit<Situation, "group">;

/** The situations of one group. */
export function group(name: Situation["group"], situations: readonly InGroup[]): readonly Situation[] {
  return situations.map((one) => ({ ...one, group: name }));
}
