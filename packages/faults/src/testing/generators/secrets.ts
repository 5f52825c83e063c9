import { MIN_SECRET } from "../../safety/secrets.ts";
import { type Leak, type LeakCategory, leaks } from "../corpus/leaks.ts";
import type { Arbitrary, Combinators } from "./fast-check.ts";

const CREDENTIALS: readonly LeakCategory[] = ["cred-known", "cred-opaque"];

/** Keys, tokens and passwords; those too short to be looked for are left out. */
const SECRETS = leaks
  .filter(({ category }) => CREDENTIALS.includes(category))
  .flatMap(({ canaries }) => canaries)
  .filter((canary) => canary.length >= MIN_SECRET);

/** Sentences in which things slip out; the second half may be empty. */
const SENTENCES: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["The call failed: ", ""],
  ["Upstream said ", " and gave up."],
  ["Error: could not connect\n    ", "\n    at main (index.js:1:1)"],
  ['{"error":{"message":"', '"}}'],
];

/** A credential of the corpus. */
export function anySecret(fc: Combinators): Arbitrary<string> {
  return fc.constantFrom(...SECRETS);
}

/** A leak of the corpus inside a sentence; its canaries are what must not come out on the other side. */
export function anyLeakyText(fc: Combinators): Arbitrary<Leak> {
  return fc
    .tuple<[Leak, (typeof SENTENCES)[number]]>(fc.constantFrom(...leaks), fc.constantFrom(...SENTENCES))
    .map(([leak, [before, after]]) => ({ ...leak, text: `${before}${leak.text}${after}` }));
}
