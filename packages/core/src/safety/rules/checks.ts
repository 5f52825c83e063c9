// What a pattern cannot decide about a part of a text. Each is described so that it can be written in another language.

const MIN_RUN = 12;
const LONG_RUN = 16;

/** How often random text changes between upper case, lower case and digits. Words in camelCase do so less often. */
const DENSITY = { short: 0.45, long: 0.25, letters: 0.42, joined: 0.42 } as const;

const UPS = /^1Z[0-9A-Z]{16}$/;
const RUN_SEPARATORS = /[+/_-]/;

/** Whether a run of letters, digits and `+/_-` looks random, as keys and generated ids do. */
function isRandom(token: string): boolean {
  if (token.length < MIN_RUN || !/\d|[A-Z][^A-Z]*[A-Z][^A-Z]*[A-Z]/.test(token) || UPS.test(token)) return false;
  return RUN_SEPARATORS.test(token)
    ? token.split(RUN_SEPARATORS).some(isRandomRun) || isRandomBody(token)
    : isRandomRun(token);
}

function isRandomRun(run: string): boolean {
  if (run.length < MIN_RUN) return false;
  const { upper, lower, digit, changes } = countKinds(run);
  const density = changes / (run.length - 1);
  if (new Set(run.slice(0, 64)).size < 6) return false;
  if (digit === 0) return run.length >= LONG_RUN && upper > 2 && lower > 2 && density >= DENSITY.letters;
  if (upper + lower === 0) return false;
  if (run.length >= LONG_RUN) return changes >= 4 && density >= DENSITY.long;
  return density >= DENSITY.short;
}

/** The characters `+/_-` split a base64 text into runs that are too short to say anything by themselves. */
function isRandomBody(token: string): boolean {
  if (token.length < 20) return false;
  const { upper, lower, digit, changes } = countKinds(token.replace(/[+/_-]/g, ""));
  return upper > 2 && lower > 2 && digit > 1 && changes / token.length >= DENSITY.joined;
}

/** How many characters of each kind, and how often the kind changes. What comes before `:` counts as a digit, and before `[` as a capital. */
function countKinds(run: string) {
  const counts = [0, 0, 0] as [digit: number, upper: number, lower: number];
  let changes = 0;
  let before: number | undefined;
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i);
    const kind = code < 58 ? 0 : code < 91 ? 1 : 2;
    counts[kind] += 1;
    if (before !== undefined && kind !== before) changes += 1;
    before = kind;
  }
  const [digit, upper, lower] = counts;
  return { digit, upper, lower, changes };
}

/** Whether a part of the path or the query of a URL looks random. */
function hasRandomPart(url: string): boolean {
  return url
    .slice(url.indexOf("/", 8))
    .split(/[/?&=#.,;:]/)
    .some(isRandom);
}

/** Whether digits, grouped or not, have the check digit of payment cards, and are not all the same. */
function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const digit = digits.charCodeAt(i) - 48;
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0 && new Set(digits).size > 1;
}

const CITIZEN_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Whether 17 digits and a digit or `X` have the check digit of a Chinese citizen number. */
function isCitizenNumber(text: string): boolean {
  const sum = CITIZEN_WEIGHTS.reduce((total, weight, i) => total + weight * (text.charCodeAt(i) - 48), 0);
  return "10X98765432".charAt(sum % 11) === text.charAt(17).toUpperCase();
}

/** The checks that rules name. */
export const VALUE_CHECKS = {
  random: isRandom,
  randomPart: hasRandomPart,
  /** At least ten different characters. */
  varied: (text) => new Set(text).size > 9,
  luhn: passesLuhn,
  citizen: isCitizenNumber,
} as const satisfies Readonly<Record<string, (part: string) => boolean>>;

/** The name of a check. */
export type CheckName = keyof typeof VALUE_CHECKS;
