import type { Readable } from "node:stream";
import { createSecretFilter, FOREIGN_TEXT, type RuleGroup, type SecretFilter } from "@recourse/faults";
import { toLine } from "@recourse/faults/internal-do-not-use";
import { LineSplitter } from "./lines.ts";

/** What a child may write into the log. */
export interface ChildLogOptions {
  /** Receives a line of the child, or a remark about its lines. */
  readonly write: (text: string) => void;
  /** Values that are never written: the variables that the child was given. */
  readonly secrets: readonly string[];
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** Lines that are written in each window of time; the rest is counted. */
const MAX_LINES = 20;
const WINDOW_MS = 10_000;
const MAX_LINE_BYTES = 16_384;
const MAX_TEXT = 500;

/** The log is for operators, who need paths and hosts. Credentials and personal data are not for it. */
const ALLOWED: readonly RuleGroup[] = ["code", "database", "host", "id", "markup", "path", "system", "url"];

/** Lines of a child for the log: a few at a time, short, and without secrets. */
export class ChildLog {
  readonly #options: ChildLogOptions;
  readonly #secrets: SecretFilter;
  #windowMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #dropped = 0;

  constructor(options: ChildLogOptions) {
    this.#options = options;
    this.#secrets = createSecretFilter(options.secrets);
  }

  /** Writes the lines of a stream. */
  follow(stream: Readable): void {
    const splitter = new LineSplitter(MAX_LINE_BYTES, {
      onLine: (line) => this.line(line.toString()),
      onTooLong: ({ bytes }) => this.line(`(a line of ${bytes} bytes)`),
    });
    stream.on("data", (piece: Buffer) => splitter.push(piece));
  }

  line(text: string): void {
    const now = this.#options.now();
    if (now - this.#windowMs >= WINDOW_MS) {
      if (this.#dropped > 0) this.#options.write(`(${this.#dropped} more lines were left out)`);
      this.#windowMs = now;
      this.#written = 0;
      this.#dropped = 0;
    }
    if (this.#written >= MAX_LINES) {
      this.#dropped += 1;
      return;
    }
    this.#written += 1;
    this.#options.write(this.#isSecret(text) ? "(a line with a secret was left out)" : toLine(text, MAX_TEXT));
  }

  #isSecret(text: string): boolean {
    return this.#secrets.has(text) || FOREIGN_TEXT.ruleForQuote(text, { allow: ALLOWED }) !== undefined;
  }
}
