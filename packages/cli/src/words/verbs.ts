import { type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";

// The words in the names of tools that say whether a tool changes something: the only such list. The probe decides by it which
// tools it calls, and a check decides by it whether an annotation contradicts a name.

/** Words that mean a change. Each stands in one row. */
export const CHANGING_WORDS = {
  /** Certain wherever they stand. Only these, and the next row, contradict an annotation. */
  certain: wordSet(
    "append approve archive assign cancel clear create delete deploy destroy disable drop edit enable erase grant import insert",
    "install kill merge modify move overwrite patch pay publish purge push put reboot refund register remove rename replace reset",
    "restart restore revoke save send set stop submit terminate transfer truncate uninstall unset update upload upsert wipe write",
  ),
  /** Certain as the first word. After a reading word they name things: `get_post`. */
  certainFirst: wordSet("add close commit copy post"),
  /** A change so often that the probe leaves the tool alone. An author may still say that it only reads: `run_query`. */
  likely: wordSet(
    "abort accept activate allocate apply attach authorize ban buy checkout click clone connect convert deactivate deny detach",
    "disconnect dispatch enqueue exec execute export fill flush generate hide increment inject invite invoke launch login logout",
    "migrate mount mutate mv navigate notify pause persist provision rebuild regenerate reject reload reopen resize resume revert",
    "rm rollback rotate run scale seed shutdown signup spawn start subscribe suspend swap switch sync toggle touch trash trigger",
    "unlink unlock unmount unpin unpublish unregister unshare unsubscribe upgrade vacuum withdraw alter amend chmod chown cleanup",
    "cordon discard dismiss donate eval evict forget impersonate invalidate mkdir nuke prune perform redeploy reindex rerun resend",
    "rmdir sudo teardown unban undo unfollow unmute unstar",
  ),
  /** The same, but they name things after a reading word: `order_item` changes, `get_order` does not. */
  likelyFirst: wordSet(
    "block book call change charge clean configure download email end fix fork format issue join lock mark open order pin play",
    "press print process pull record release reply schedule share sign simulate store tag type bash build command comment confirm",
    "demote do draft drain emit empty evaluate expire follow force freeze halt init like make message mint mute optimize",
    "powershell promote quarantine quit refresh reserve retry script scrub sell setup shell shrink stage star stash trade vote",
  ),
} as const satisfies Record<string, ReadonlySet<string>>;

/** Words that only read. */
const READING = wordSet(
  "check count describe diff exists explain fetch find get head info inspect list ls lookup peek preview query read search",
  "show stat status tree validate verify version view whoami",
);

/** Reading words that are not enough without an annotation, since they begin changes too: `check_in`, `verify_email`. */
const READING_UNSURE = wordSet("check diff explain head preview tree validate verify");

/** After these words a name says a second thing: `get_and_post` posts. */
const JOINING = wordSet("and or then");

/** Names of calculations. With numbers as their only arguments, `add` changes nothing. */
const ARITHMETIC = wordSet(
  "abs absolute add addition average calculate ceil compute cos cube difference divide division exponent factorial floor log max",
  "mean median min minus mod modulo multiply multiplication percent percentage plus pow power product quotient remainder root",
  "round sin sqrt square subtract subtraction sum tan times",
);
const NUMBER_WORDS = wordSet("and two three numbers number integers integer ints floats values of");
const NUMBER_NAME =
  /^(?:[a-z]\d?|(?:num|n|number|value|val|operand|addend|term|factor)_?[\da-z]?|(?:first|second)(?:_?(?:num|number|value|operand))?|left|right|augend|minuend|subtrahend|dividend|divisor|multiplicand|multiplier|base|exponent|numbers|nums|values|operands)$/i;

/** Choices of an argument that only read, the best first. */
const READING_CHOICES = ["list", "get", "show", "read", "status", "search", "find", "describe", "view", "info"];

/** Beginnings of words that mean a change even if words are not separated, as in `deleteall`. */
const CHANGING_START =
  /^(?:creat|delet|destroy|drop|execut|insert|install|modif|overwrit|purg|remov|renam|reset|truncat|updat|upload|wipe|writ)/;

/** The words of a name: `getUserName`, `get_user-name` and `get.user` are all parted. */
export function nameWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** The word in a name or in a choice that means a change. A name in other letters cannot be read, so it may mean one. */
export function changingWord(name: string): string | undefined {
  if (/\P{ASCII}/u.test(name)) return name;
  const { certain, certainFirst, likely, likelyFirst } = CHANGING_WORDS;
  let isReading = false;
  for (const word of nameWords(name)) {
    if (certain.has(word) || likely.has(word) || CHANGING_START.test(word)) return word;
    if (!isReading && (certainFirst.has(word) || likelyFirst.has(word))) return word;
    isReading = !JOINING.has(word) && (isReading || READING.has(word));
  }
  return undefined;
}

/** The word in the name of a tool that means a change. A calculation is not a change. */
export function toolChangingWord(tool: JsonObject): string | undefined {
  return isCalculation(tool) ? undefined : changingWord(stringAt(tool, "name") ?? "");
}

/** The first word of a name, if it certainly means a change: one that no reading tool has. */
export function certainChange(tool: JsonObject): string | undefined {
  const [first = ""] = nameWords(stringAt(tool, "name") ?? "");
  const { certain, certainFirst } = CHANGING_WORDS;
  return (certain.has(first) || certainFirst.has(first)) && !isCalculation(tool) ? first : undefined;
}

/** Whether the name and the description of a tool say that it only reads, so that it may be called without an annotation. */
export function readsByName(tool: JsonObject): boolean {
  if (isCalculation(tool)) return true;
  const name = stringAt(tool, "name") ?? "";
  const [first = ""] = nameWords(name);
  const reads = READING.has(first) && !READING_UNSURE.has(first) && changingWord(name) === undefined;
  return reads && !describesChange(stringAt(tool, "description") ?? "");
}

/** Whether a tool only calculates: its name says so, and its arguments are numbers that are named like operands. */
function isCalculation(tool: JsonObject): boolean {
  const words = nameWords(stringAt(tool, "name") ?? "");
  const arguments_ = Object.entries(objectAt(objectAt(tool, "inputSchema"), "properties") ?? {});
  return (
    words.some((word) => ARITHMETIC.has(word)) &&
    words.every((word) => ARITHMETIC.has(word) || NUMBER_WORDS.has(word)) &&
    arguments_.length > 0 &&
    arguments_.every(([name, schema]) => NUMBER_NAME.test(name) && isNumeric(schema))
  );
}

function isNumeric(schema: unknown): boolean {
  const type = stringAt(schema, "type");
  return type === "number" || type === "integer" || (type === "array" && isNumeric(memberAt(schema, "items")));
}

/** Whether a description begins by saying that the tool changes something, as in "Deletes all orders" or "Send a letter". */
export function describesChange(description: string): boolean {
  const [first = ""] = nameWords(description.slice(0, 200));
  const { certain, certainFirst } = CHANGING_WORDS;
  const verbs = [first, first.replace(/s$/, ""), first.replace(/e[sd]$/, ""), first.replace(/ies$/, "y")];
  return CHANGING_START.test(first) || verbs.some((verb) => certain.has(verb) || certainFirst.has(verb));
}

/** The value of an argument that is on or off which does the least: what is tried changes nothing. */
export function quietFlag(name: string): boolean {
  return /dry.?run|preview|read.?only|simulat|no.?op|what.?if|test.?mode/i.test(name);
}

/** Whether an argument that is on or off may have this value: not `delete: true`, and not `dryRun: false`. */
export function isQuiet(name: string, value: boolean): boolean {
  return value === quietFlag(name) || !(quietFlag(name) || changingWord(name) !== undefined);
}

/** The value of a list of choices that most surely only reads. */
export function readingChoice(choices: readonly unknown[]): { readonly value: unknown } | undefined {
  const texts = choices.filter((choice) => typeof choice === "string");
  for (const word of READING_CHOICES) {
    const found = texts.find((text) => nameWords(text)[0] === word && changingWord(text) === undefined);
    if (found !== undefined) return { value: found };
  }
  const neutral = choices.find((choice) => typeof choice !== "string" || changingWord(choice) === undefined);
  return neutral === undefined ? undefined : { value: neutral };
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}
