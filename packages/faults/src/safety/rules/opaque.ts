const MIN_RUN = 12;
const LONG_RUN = 16;

/** How often random text changes between upper case, lower case and digits. Words in camelCase do so less often. */
const DENSITY = { short: 0.45, long: 0.25, letters: 0.42, joined: 0.42 } as const;

const UPS = /^1Z[0-9A-Z]{16}$/;
const SEPARATED = /[+/_-]/;

/** Tells whether a run of letters, digits and `+/_-` looks random, as keys and generated ids do. */
export function looksRandom(token: string): boolean {
  if (token.length < MIN_RUN || !hasVariety(token) || UPS.test(token)) return false;
  return SEPARATED.test(token) ? token.split(/[+/_-]/).some(isRandomRun) || isRandomBody(token) : isRandomRun(token);
}

// Most long words are in lower case, or have one or two capitals.
function hasVariety(token: string): boolean {
  let capitals = 0;
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    if (code > 47 && code < 58) return true;
    if (code > 64 && code < 91 && ++capitals > 2) return true;
  }
  return false;
}

interface Profile {
  readonly upper: number;
  readonly lower: number;
  readonly digit: number;
  readonly changes: number;
  readonly distinct: number;
}

function isRandomRun(run: string): boolean {
  if (run.length < MIN_RUN) return false;
  const { upper, lower, digit, changes, distinct } = profile(run);
  const density = changes / (run.length - 1);
  if (distinct < 6) return false;
  if (digit === 0) return run.length >= LONG_RUN && upper > 2 && lower > 2 && density >= DENSITY.letters;
  if (upper + lower === 0) return false;
  if (run.length >= LONG_RUN) return changes >= 4 && density >= DENSITY.long;
  return density >= DENSITY.short;
}

// The characters `+/_-` split a base64 text into runs that are too short to confirm by themselves.
function isRandomBody(token: string): boolean {
  if (token.length < 20) return false;
  const { upper, lower, digit, changes } = profile(token.replace(/[+/_-]/g, ""));
  return upper > 2 && lower > 2 && digit > 1 && changes / token.length >= DENSITY.joined;
}

function profile(run: string): Profile {
  let upper = 0;
  let lower = 0;
  let digit = 0;
  let changes = 0;
  let before = 0;
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i);
    const kind = code < 58 ? 1 : code < 91 ? 2 : 3;
    if (kind === 1) digit++;
    else if (kind === 2) upper++;
    else lower++;
    if (i > 0 && kind !== before) changes++;
    before = kind;
  }
  return { upper, lower, digit, changes, distinct: new Set(run.slice(0, 64)).size };
}
