// Reads Markdown line by line: enough for the pages of this repository, whose form is checked by their tests.
import { anchorOf } from "../../scripts/generate/markdown.ts";

/** A part of a page: text, or a block of code with its fences. */
export interface MarkdownPart {
  readonly isCode: boolean;
  readonly text: string;
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/** Cuts a page into text and blocks of code. */
export function splitCode(text: string): readonly MarkdownPart[] {
  const parts: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
      parts.push({ isCode: true, lines: [line] });
    } else if (fence !== undefined && mark?.startsWith(fence) === true && line.trim() === mark) {
      fence = undefined;
      parts.at(-1)?.lines.push(line);
      parts.push({ isCode: false, lines: [] });
    } else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ isCode, lines }) => ({ isCode, text: lines.join("\n") }));
}

/** Changes the targets of links and pictures in the text of a page. A link whose text is inline code is one too. */
export function changeLinks(markdown: string, change: (target: string) => string): string {
  return splitCode(markdown)
    .map(({ isCode, text }) =>
      isCode
        ? text
        : text
            .replaceAll(/\]\(([^()\s]+)\)/g, (_, target: string) => `](${change(target)})`)
            .replaceAll(
              /(<(?:img|source)\b[^>]*?\b(?:src|srcset)=")([^"]+)"/g,
              (_, before: string, target: string) => `${before}${change(target)}"`,
            ),
    )
    .join("\n");
}

/** Returns the headings of a page, as their level and text. */
export function listHeadings(markdown: string): readonly { readonly level: number; readonly text: string }[] {
  return splitCode(markdown)
    .filter(({ isCode }) => !isCode)
    .flatMap(({ text }) => [...text.matchAll(/^(#{1,6}) (.+)$/gm)])
    .map(([, marks = "", text = ""]) => ({ level: marks.length, text }));
}

/** A line of Markdown as plain text. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/[`*]|\b_|_\b/g, "")
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the ids of the headings of a page, as the repository's host makes them. */
export function listAnchors(markdown: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const { text } of listHeadings(markdown)) {
    const anchor = anchorOf(plainHeading(text));
    const before = seen.get(anchor) ?? 0;
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
    seen.set(anchor, before + 1);
  }
  for (const [, id = ""] of markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

function plainHeading(text: string): string {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}

/** Names the files of code blocks in the words of the highlighter. */
export function nameFiles(markdown: string): string {
  return markdown.replaceAll(/^(\s*(?:`{3,}|~{3,})\w+.*?) file=(\S+)/gm, '$1 title="$2"');
}
