import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { applyEdits, positionAt, readJsonText, type TextEdit } from "./json-text.ts";

/** Lines of a file before and after a correction. */
export interface ChangedLines {
  /** The number of the first line. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The corrected text. Undefined if there is nothing to correct, or if it would still not be JSON. */
export function correctText(text: string, edits: readonly TextEdit[]): string | undefined {
  const corrected = applyEdits(text, edits);
  const isValid = readJsonText(corrected).flaws.every(({ kind }) => kind === "relaxed");
  return edits.length > 0 && corrected !== text && isValid ? corrected : undefined;
}

/** The lines that edits change. */
export function changedLines(text: string, edits: readonly TextEdit[]): ChangedLines[] {
  const groups: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const start = text.lastIndexOf("\n", edit.start - 1) + 1;
    const close = text.indexOf("\n", edit.end);
    const end = close === -1 ? text.length : close;
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  return groups.map(({ start, end, edits: own }) => {
    const before = text.slice(start, end);
    const shifted = own.map((one) => ({ text: one.text, start: one.start - start, end: one.end - start }));
    return {
      line: positionAt(text, start).line,
      before: before.split("\n"),
      after: applyEdits(before, shifted).split("\n"),
    };
  });
}

/** What became of writing a file: the backup beside it, or a sentence that says why nothing was written. */
export type WrittenFile = { readonly backup: string } | { readonly refused: string };

const MAX_BACKUPS = 100;

/** Replaces the text of a file at once, with a copy of the old one beside it. Links are refused. */
export function writeCorrected(
  path: string,
  {
    before,
    after,
    createId = randomUUID,
  }: { readonly before: string; readonly after: string; readonly createId?: () => string },
): WrittenFile {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return { refused: "It is a link or not a plain file, so it is not written." };
  if (found.nlink > 1) return { refused: "Another name leads to the same file, so it is not written." };
  if (!readFileSync(path).equals(Buffer.from(before))) return { refused: "The file has changed, or it is not UTF-8." };
  const temporary = `${path}.${createId()}.tmp`;
  try {
    const backup = keepCopy(path);
    if (backup === undefined) return { refused: "There are too many backups of it already." };
    const file = openSync(temporary, "wx", found.mode & 0o777);
    try {
      writeFileSync(file, after);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return { backup };
  } catch (error) {
    rmSync(temporary, { force: true });
    return { refused: `It cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"}).` };
  }
}

/** Copies a file to a name that is free. */
function keepCopy(path: string): string | undefined {
  for (let number = 0; number < MAX_BACKUPS; number += 1) {
    const backup = `${path}.backup${number === 0 ? "" : number}`;
    try {
      copyFileSync(path, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return undefined;
}
