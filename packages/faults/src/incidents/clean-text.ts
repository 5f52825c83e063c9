import { cutCredentials } from "../safety/cut-credentials.ts";
import { cutFound, cutFoundWords } from "../safety/cut-found.ts";
import { containsSecret, type SecretFilter } from "../safety/secrets.ts";

/** The most that is shown of a text. */
const MAX_SHOWN = 16_384;
/** The most that is searched: a secret at the end of what is shown must be whole to be found. */
const MAX_SEARCHED = MAX_SHOWN + 4_096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor of the operator's terminal.
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** How a text is cleaned. */
export interface CleanOptions {
  /** The secrets of the request. Those of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Finds what is to be cut out besides. @default nothing */
  readonly isHidden?: ((part: string) => boolean) | undefined;
  /** The most characters that are shown. @default 16_384 */
  readonly max?: number | undefined;
}

/**
 * A text that an operator may read: registered secrets, those of the request, and credentials of an unmistakable form are
 * cut out of it, and nothing else. Lines stay lines; other control characters become spaces.
 */
export function cleanText(text: string, { secrets, isHidden, max = MAX_SHOWN }: CleanOptions = {}): string {
  const isSecret = (part: string) => containsSecret(part, secrets);
  const known = cutFound(text.slice(0, MAX_SEARCHED), isSecret);
  const line = known.replaceAll(CONTROLS, " ");
  // Without its control characters, a text may contain a secret that it did not contain before.
  const plain = cutCredentials(line === known ? known : cutFound(line, isSecret));
  const clean = isHidden === undefined ? plain : cutFoundWords(plain, isHidden);
  const whole = text.length > MAX_SEARCHED ? clean.slice(0, MAX_SHOWN - MAX_SEARCHED) : clean;
  return whole.slice(0, max);
}
