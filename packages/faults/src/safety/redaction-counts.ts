const counts = new Map<string, number>();

/** How many texts were removed since the process started, by the id of the rule. `secret` means a known secret value. */
export function redactionCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** Gets each text that is removed, with the id of the rule. */
export type RemovalListener = (text: string, rule: string) => void;

let listener: RemovalListener | undefined;

/** Tells a listener about removed texts from now on. There is one for the process: what it says is for developers. */
export function listenForRemovals(listen: RemovalListener): void {
  listener = listen;
}

/** Counts one text that was removed. Without the text the listener does not learn about it. */
export function countRedaction(rule: string, text = ""): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (text !== "") listener?.(text, rule);
}
