import { looksRandom } from "./opaque.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Words that follow the name of a secret in a sentence about it. */
const PROSE = new Set(
  (
    "a an and any are as at auth authentication authorization base64 base64url be been bearer basic before but by can cannot cant case " +
    "char character characters check contain contains could default denied did digest does doesnt empty endpoint error exactly expected " +
    "expires expiry fail failed fails failure false field for format from generate get grant had has have header hex how https if in " +
    "incorrect invalid is isnt it its jwt length limit limits long longer malformed may mismatch missing mode must need needs new no " +
    "none not null number oauth oauth2 of off ok old on once one only optional or page parameter please policy present provide refresh " +
    "regenerate required requires reset revoked rotate same scope see self send session set sha1 sha256 sha512 short should size some still " +
    "such than that the their them there this to token too true try twice type undefined unknown unset use user valid via wait was " +
    "were when which will with within without wrong yes you your"
  ).split(" "),
);

const TECHNICAL =
  /^(?:(?:sha|md|aes|rsa|rs|hs|es|ps|utf|base|oauth|ed|x|rfc|v|p|tls|http|pkce|ipv|h)-?\d+[a-z-]*|[\d.,:/-]+(?:ms|[smhd]|[kmg]?i?b)?|\d{4}-\d\d-\d\d.*|[a-z]+-(?:encoded|sensitive|only|based|lived|separated|compatible))$/i;

/** Tells whether a value looks like a password or key, and not like a word in a sentence. */
export function looksSecret(value: string, min = 6): boolean {
  const core = trimEnd(value);
  if (core.length < min || isPlaceholder(core) || TECHNICAL.test(core)) return false;
  const digit = /\d/.test(core);
  const letter = /[A-Za-z]/.test(core);
  const special = /[!#$%^&*+=?~@]/.test(core);
  const mixed = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(core);
  return (digit && letter) || (special && (digit || letter)) || (mixed && core.length >= 10) || looksRandom(core);
}

/** Tells whether a value after the name of a secret can be the secret: it is neither a placeholder nor prose. */
export function isAssigned(value: string, min = 3): boolean {
  const core = trimEnd(value);
  if (core.length < min || isPlaceholder(core)) return false;
  return !isProse(core) && !/^[\d.]{1,3}$/.test(core);
}

/** Tells whether a word is common in sentences about secrets. */
export function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase().replaceAll("'", "")) || /[a-z](?:ed|ing|able|ible|ory|tion|ment|ly)$/i.test(word);
}

function trimEnd(value: string): string {
  return value.replace(/[.,;:!?)\]}"'`]{1,4}$/, "");
}
