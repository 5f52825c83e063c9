// Text of upstreams and callers, made safe to read: characters that hide or reorder text become visible.
import { UNSEEN_CHARACTERS } from "@recourse/core/wire";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** What shapes the emoji before it. */
const EMOJI_PART = /[\ufe0f\u200d]/;
const EMOJI_END = /(?:\p{Extended_Pictographic}|\ufe0f|\u200d)$/u;

const escapes = new Map<string, string>();

/** The text with every hidden character as `⟨U+202E⟩`. Emoji stay as they are. */
export function showHidden(text: string): string {
  return showControls(text).replaceAll(UNSEEN_CHARACTERS, (character, at: number, whole: string) =>
    EMOJI_PART.test(character) && EMOJI_END.test(whole.slice(Math.max(0, at - 2), at))
      ? character
      : escapeOf(character),
  );
}

/** The same for what a person decides about: texts that look alike are alike, but for letters of other scripts. */
export function showEveryHidden(text: string): string {
  return showControls(text).replaceAll(UNSEEN_CHARACTERS, escapeOf);
}

function showControls(text: string): string {
  return text.toWellFormed().replaceAll(CONTROL, escapeOf);
}

/** There are few different ones, and a hostile text may be made of them. */
function escapeOf(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  const made = `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  escapes.set(character, made);
  return made;
}
