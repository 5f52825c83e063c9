// Two incidents of one cause: only what differs between them.
import type { Incident } from "../../api/types.ts";
import { milliseconds } from "../../format/numbers.ts";
import { fullTime } from "../../format/time.ts";
import { chainText } from "./ticket.ts";

/** A member that differs. Undefined: that incident does not have it. */
export interface Difference {
  readonly member: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** What two incidents do and do not share. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Names of what is equal. */
  readonly same: readonly string[];
}

/** Compares two incidents. Each has an id of its own, so ids do not count as a difference, wherever they stand. */
export function compareIncidents(left: Incident, right: Incident): Comparison {
  const plain = COMPARED_MEMBERS.map(({ member, show }) => ({ member, left: show(left), right: show(right) }));
  const chain = differingLines(chainText(left), chainText(right));
  const sentence = { member: "sentence", left: left.sample?.sentText, right: right.sample?.sentText };
  const all: readonly Difference[] = [...plain, { member: "chain", ...chain }, sentence];
  const fault = compareFaults(left, right);
  const [differing, equal] = [true, false].map((wanted) => all.filter((row) => differs(row, left, right) === wanted));
  const same = (equal ?? []).filter((row) => row.member !== "chain" || hasChain(left)).filter(isKnown);
  const isFaultSame = fault.length === 0 && left.sample !== undefined && right.sample !== undefined;
  return {
    differences: [...(differing ?? []), ...fault],
    same: [...same.map(({ member }) => member), ...(isFaultSame ? ["fault"] : [])],
  };
}

/** In the order in which they are read. */
const COMPARED_MEMBERS: readonly { readonly member: string; readonly show: (of: Incident) => string | undefined }[] = [
  { member: "time", show: ({ at }) => fullTime(at) },
  { member: "caller", show: ({ caller }) => caller },
  { member: "tenant", show: ({ tenant }) => tenant },
  { member: "duration", show: ({ sample }) => showMs(sample?.durationMs) },
  { member: "step that ended it", show: ({ sample }) => sample?.endedAt },
];

function showMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : milliseconds(ms);
}

function hasChain({ sample }: Incident): boolean {
  return (sample?.causes.length ?? 0) > 0;
}

/** The chain has no lines left if it is equal; all others are equal if both have the same value. */
function isKnown({ member, left }: Difference): boolean {
  return member === "chain" || left !== undefined;
}

function differs(row: Difference, left: Incident, right: Incident): boolean {
  return withoutId(row.left, left) !== withoutId(row.right, right);
}

function withoutId(text: string | undefined, { id }: Incident): string | undefined {
  return text?.replaceAll(id, "id");
}

/** Longer chains are compared line by line in order. */
const MAX_LINES = 300;

/** The lines of each text that the other does not have, in their order. */
function differingLines(left: string, right: string): Pick<Difference, "left" | "right"> {
  const [mine, theirs] = [left.split("\n").slice(0, MAX_LINES), right.split("\n").slice(0, MAX_LINES)];
  const common = commonLines(mine, theirs);
  return { left: leftOver(mine, common), right: leftOver(theirs, common) };
}

function leftOver(lines: readonly string[], common: readonly string[]): string | undefined {
  let at = 0;
  const rest = lines.filter((line) => {
    if (line !== common[at]) return true;
    at += 1;
    return false;
  });
  return rest.length === 0 ? undefined : rest.join("\n");
}

/** The longest run of lines that both have in one order. */
function commonLines(left: readonly string[], right: readonly string[]): readonly string[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const common: string[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      common.push(left[row] ?? "");
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

/** More pointers than this are more than anybody compares. */
const MAX_POINTERS = 500;

function compareFaults(left: Incident, right: Incident): readonly Difference[] {
  const [mine, theirs] = [left, right].map(({ sample, id }) => {
    const found = new Map<string, string>();
    if (sample !== undefined) addPointers(found, "", sample.fault, id);
    return found;
  }) as [Map<string, string>, Map<string, string>];
  const pointers = [...new Set([...mine.keys(), ...theirs.keys()])];
  return pointers
    .filter((pointer) => mine.get(pointer) !== theirs.get(pointer))
    .map((pointer) => ({ member: `fault ${pointer}`, left: mine.get(pointer), right: theirs.get(pointer) }));
}

function addPointers(found: Map<string, string>, pointer: string, value: unknown, id: string): void {
  if (found.size >= MAX_POINTERS || value === id) return;
  if (typeof value !== "object" || value === null) {
    found.set(pointer, (JSON.stringify(value) ?? "").replaceAll(id, "id"));
    return;
  }
  for (const [key, member] of Object.entries(value))
    addPointers(found, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, member, id);
}
