// What the catalogue of errors says about a code or a pasted text.
import type { CodeBook, KnownCode } from "../../data/codes.ts";
import { make, makeLink, makeText } from "./elements.ts";

/** Whether a query is a text to be read: several words, JSON, or a name in capitals that no list has. */
export function isText(query: string): boolean {
  return /\S\s+\S|[{}"]/.test(query) || /^[A-Z][A-Z0-9_]{4,}$/.test(query);
}

const endSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

/** Everyone who sends a code, and what it means then. */
export function showCode(code: string, { rule, senses }: KnownCode, base: string): HTMLElement {
  const items = senses.map(({ sender, status, meaning, advice, reason }) =>
    make(
      "li",
      "",
      make("strong", "", status === undefined ? sender : `${sender}, with HTTP ${status}`),
      make("p", "", ...makeText(endSentence(meaning))),
      make(
        "p",
        "next",
        "Next: ",
        ...makeText(endSentence(advice)),
        " ",
        makeLink(`${base}/errors/${reason}/`, make("code", "", reason)),
      ),
    ),
  );
  const count = senses.length === 1 ? "one meaning" : `${senses.length} meanings, by who sends it`;
  return make(
    "section",
    "answer",
    make("h2", "", make("code", "", code), ` has ${count}`),
    ...(rule === undefined ? [] : [make("p", "", rule)]),
    make("ul", "senses", ...items),
  );
}

/** A number that no list has. */
export function showUnknownNumber(number: number, ranges: CodeBook["ranges"]): HTMLElement {
  const range = number > 0 ? undefined : ranges.find(({ from, to }) => number >= from && number <= to);
  return make(
    "section",
    "answer",
    make("h2", "", make("code", "", String(number)), " is not a code that the library knows"),
    make("p", "", range?.rule ?? "Paste the whole error: its text may say what happened."),
  );
}

/** What a reading needs of the page. */
export interface ReadingOptions {
  readonly base: string;
  /** The shape of an effect and its meaning. */
  readonly drawEffect: (effect: string) => Node | string;
}

/** What a text says. The reader is loaded when it is needed. */
export async function showReading(
  text: string,
  { base, drawEffect }: ReadingOptions,
): Promise<{ readonly element: HTMLElement; readonly reason?: string }> {
  const [{ decodePasted }, { packText }] = await Promise.all([
    import("../../../packages/console/src/playground/decode-text.ts"),
    import("../../../packages/console/src/playground/share-link.ts"),
  ]);
  const decoded = decodePasted(text);
  const fragment = (await packText(text)) ?? "";
  const playground = makeLink(`${base}/playground/${fragment}`, "Read it in the playground");
  if (!decoded.found)
    return {
      element: make(
        "section",
        "answer",
        make("h2", "", decoded.title),
        make("p", "", decoded.sentence),
        make("p", "", playground),
      ),
    };
  const { title, sentence, advice, effect, reason, isDocumented, facts } = decoded;
  const [, cause] = facts.find(([name]) => name === "Cause") ?? [];
  const links = [
    ...(reason !== undefined && isDocumented ? [makeLink(`${base}/errors/${reason}/`, make("code", "", reason))] : []),
    ...(cause === undefined ? [] : [makeLink(`${base}/causes/${cause.toLowerCase()}/`, `Cause ${cause}`)]),
    playground,
  ];
  const element = make(
    "section",
    "answer",
    make("h2", "", ...makeText(title)),
    make("p", "", ...makeText(sentence)),
    make("p", "", make("strong", "", "Next: "), ...makeText(advice)),
    make("p", `effect effect-${effect}`, drawEffect(effect)),
    make("p", "links", ...links),
  );
  return { element, ...(reason !== undefined && isDocumented && { reason }) };
}
