/** Words of tool names and choices that always mean a change. */
const CHANGING_WORDS = wordSet(
  "abort accept activate allocate append apply approve archive assign attach authorize ban buy cancel checkout clear click",
  "clone connect convert create deactivate delete deny deploy destroy detach disable disconnect dispatch drop edit enable",
  "enqueue erase exec execute export fill flush generate grant hide import increment inject insert install invite invoke kill",
  "launch login logout merge migrate modify mount move mutate mv navigate notify overwrite patch pause pay persist provision",
  "publish purge push put reboot rebuild refund regenerate register reject reload remove rename reopen replace reset resize",
  "restart restore resume revert revoke rm rollback rotate run save scale seed send set shutdown signup spawn start stop",
  "submit subscribe suspend swap switch sync terminate toggle touch transfer trash trigger truncate uninstall unlink unlock",
  "unmount unpin unpublish unregister unset unshare unsubscribe update upgrade upload upsert vacuum wipe withdraw write",
  "alter amend chmod chown cleanup cordon discard dismiss donate eval evict forget impersonate invalidate mkdir nuke prune",
  "perform redeploy reindex rerun resend rmdir sudo teardown unban undo unfollow unmute unstar",
);

/** Words that mean a change unless a reading word stands before them: `order_item` changes, `get_order` does not. */
const CHANGING_ALONE = wordSet(
  "add block book call change charge clean close commit configure copy download email end fix fork format issue join lock",
  "mark open order pin play post press print process pull record release reply schedule share sign simulate store tag type",
  "bash build command comment confirm demote do draft drain emit empty evaluate expire follow force freeze halt init like",
  "make message mint mute optimize powershell promote quarantine quit refresh reserve retry script scrub sell setup shell",
  "shrink stage star stash trade vote",
);

/** Words that only read. */
const READING = wordSet(
  "check count describe diff exists explain fetch find get head info inspect list ls lookup peek preview query read search",
  "show stat status tree validate verify version view whoami",
);

/** Choices of an argument that only read, the best first. */
const READING_CHOICES = ["list", "get", "show", "read", "status", "search", "find", "describe", "view", "info"];

/** Beginnings of words that mean a change even where words are not parted, as in `deleteall`. */
const CHANGING_START =
  /^(?:creat|delet|destroy|drop|execut|insert|install|modif|overwrit|purg|remov|renam|reset|truncat|updat|upload|wipe|writ)/;

/** The words of a name: `getUserName`, `get_user-name` and `get.user` are all parted. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** The word in the name of a tool that means a change. A name in other letters cannot be read, so it may mean one. */
export function changingWord(name: string): string | undefined {
  if (/\P{ASCII}/u.test(name)) return name;
  let isReading = false;
  for (const word of splitWords(name)) {
    if (CHANGING_WORDS.has(word) || CHANGING_START.test(word) || (!isReading && CHANGING_ALONE.has(word))) return word;
    isReading ||= READING.has(word);
  }
  return undefined;
}

/** Whether a description begins by saying that the tool changes something, as in "Deletes all orders". */
export function describesChange(description: string): boolean {
  return CHANGING_START.test(splitWords(description.slice(0, 200))[0] ?? "");
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
    const found = texts.find((text) => splitWords(text)[0] === word && changingWord(text) === undefined);
    if (found !== undefined) return { value: found };
  }
  const neutral = choices.find((choice) => typeof choice !== "string" || changingWord(choice) === undefined);
  return neutral === undefined ? undefined : { value: neutral };
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}
