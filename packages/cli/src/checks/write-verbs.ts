/** Verbs that certainly change something, as the first word of a name. Words that also name things, such as `order`, are left out. */
const WRITE_VERBS: ReadonlySet<string> = new Set(
  (
    "add append approve archive assign cancel clear close commit copy create delete deploy destroy disable drop edit enable " +
    "erase grant import insert install kill merge modify move overwrite patch pay post publish purge push put reboot refund " +
    "register remove rename replace reset restart restore revoke save send set stop submit terminate transfer truncate " +
    "uninstall unset update upload upsert wipe write"
  ).split(" "),
);

/** The words of a name in lower case: `setUserName`, `set_user_name` and `set-user-name` alike. */
export function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

/** Whether a word is a verb that changes something. `settings` is not `set`. */
export function isWriteVerb(word: string): boolean {
  return WRITE_VERBS.has(word);
}
