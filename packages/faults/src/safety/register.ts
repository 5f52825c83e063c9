import { formsOf } from "./forms.ts";
import { Needles } from "./needles.ts";
import { foundInAnyView, MIN_SECRET } from "./secrets.ts";

const needles = new Needles();
const uses = new Map<string, number>();

/**
 * Registers secret values for the whole process and returns the function that takes this registration back.
 *
 * Registrations are counted: a value is looked for until each of them was taken back.
 */
export function protect(...values: readonly string[]): () => void {
  const held = values.filter((value) => value.length >= MIN_SECRET);
  for (const value of held) hold(value);
  return () => {
    for (const value of held.splice(0)) release(value);
  };
}

/** Tells whether the text has a registered secret in it, in any form. */
export function isKnownSecret(text: string): boolean {
  return uses.size > 0 && foundInAnyView(needles, text);
}

function hold(value: string): void {
  const count = uses.get(value) ?? 0;
  uses.set(value, count + 1);
  if (count === 0) for (const form of formsOf(value)) needles.add(form);
}

function release(value: string): void {
  const count = uses.get(value) ?? 0;
  if (count > 1) {
    uses.set(value, count - 1);
    return;
  }
  uses.delete(value);
  for (const form of formsOf(value)) needles.remove(form);
}
