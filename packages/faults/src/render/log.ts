import type { Fault } from "../fault/fault.ts";

/** For a log: one line of `key=value`, in an order that never changes. */
export function renderLog(fault: Fault): string {
  const pairs: [string, string | number | undefined][] = [
    ["kind", fault.kind],
    ["class", fault.class],
    ["reason", fault.reason],
    ["effect", fault.effect],
    ["next", fault.recourse.map((move) => move.do).join(",")],
    ["after_ms", fault.recourse[0].afterMs],
    ["origin", fault.origin.layer],
    ["name", fault.origin.name],
    ["basis", fault.basis],
    ["attempts", fault.tried?.attempts],
    ["elapsed_ms", fault.tried?.elapsedMs],
    ["stopped", fault.tried?.stopped],
    ["issues", fault.issues?.length],
    ["cause", fault.cause?.reason],
    ["incident", fault.incident],
    ["trace", fault.trace],
    ["message", fault.message],
    ["quote", fault.quote?.text],
  ];
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${plain(String(value))}`)
    .join(" ");
}

/** Bare where nothing could be mistaken for another pair, else as a JSON string. */
function plain(value: string): string {
  return /^[\w.,:/-]+$/.test(value) ? value : JSON.stringify(value);
}
