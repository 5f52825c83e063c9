import type { Readable } from "node:stream";
import { createSecretFilter, type SecretFilter } from "@recourse/faults";
import { cleanText, sleep } from "@recourse/faults/internal-do-not-use";
import { LineSplitter } from "./lines.ts";

/** What a child may write into the log. */
export interface ChildLogOptions {
  /** Receives an entry of the child, or a remark about its entries. */
  readonly write: (text: string) => void;
  /** Values that are never written: the variables that the child was given. */
  readonly secrets: readonly string[];
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** Entries that are written in each window of time; the rest is counted. */
const MAX_ENTRIES = 20;
const WINDOW_MS = 10_000;
const MAX_LINE_BYTES = 16_384;
/** Of a line by itself, and of one with the lines below it. */
const MAX_TEXT = 500;
const MAX_ENTRY = 8_192;
const MAX_ENTRY_LINES = 100;
/** An entry has ended when no line came for so long. */
const QUIET_MS = 30;

/** A line that belongs to the one before it, as the frames of a stack do. */
const CONTINUED = /^[\t ]/;
const KEY_LINE = /^\s*(?:[A-Za-z0-9+/=]{1,80}|[A-Z][\w-]{2,20}: .{1,80})?\s*$/;
const INCIDENT_ID = /(?<![\w-])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![\w-])/g;
/** Entries that are kept for incidents, and how long one is waited for. */
const MAX_KEPT = 100;
const WAIT_MS = 150;

/**
 * Entries of a child for the log: a few at a time, short, and without secrets. A line and the indented lines after it are one
 * entry, so that the stack of an incident stands beside its id.
 */
export class ChildLog {
  readonly #options: ChildLogOptions;
  readonly #secrets: SecretFilter;
  /** Entries by the ids that their first line names, the oldest first. */
  readonly #kept = new Map<string, string>();
  #lines: string[] = [];
  #quiet: NodeJS.Timeout | undefined = undefined;
  #isInKey = false;
  #windowMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #dropped = 0;

  constructor(options: ChildLogOptions) {
    this.#options = options;
    this.#secrets = createSecretFilter(options.secrets);
  }

  /** Reads the lines of a stream. */
  follow(stream: Readable): void {
    const splitter = new LineSplitter(MAX_LINE_BYTES, {
      onLine: (line) => this.#add(line.toString()),
      onTooLong: ({ bytes }) => this.#add(`(a line of ${bytes} bytes)`),
    });
    stream.on("data", (piece: Buffer) => splitter.push(piece));
    stream.on("close", () => this.#end());
  }

  /** Writes a remark about the child. */
  line(text: string): void {
    this.#end();
    this.#add(text);
    this.#end();
  }

  /** The entry about an incident. It may be read a little later than the answer that names the incident. */
  async entryOf(incident: string): Promise<string | undefined> {
    const untilMs = performance.now() + WAIT_MS;
    while (!this.#kept.has(incident) && performance.now() < untilMs) await sleep(QUIET_MS / 3);
    return this.#kept.get(incident);
  }

  #add(line: string): void {
    if (this.#isPartOfKey(line)) return;
    if (!CONTINUED.test(line) || this.#lines.length >= MAX_ENTRY_LINES) this.#end();
    this.#lines.push(line);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#end(), QUIET_MS).unref();
  }

  #end(): void {
    clearTimeout(this.#quiet);
    const [first = "", ...below] = this.#lines.splice(0);
    if (first === "") return;
    const entry = cleanText([first, ...below].join("\n"), { secrets: this.#secrets, max: MAX_ENTRY });
    this.#keep(first, entry);
    this.#write(below.length === 0 && entry.length > MAX_TEXT ? `${entry.slice(0, MAX_TEXT)}…` : entry);
  }

  /** The lines of a key come one by one, and only the first says what it is. */
  #isPartOfKey(line: string): boolean {
    const wasInKey = this.#isInKey;
    const isLast = line.includes("-----END ");
    this.#isInKey = !isLast && (wasInKey ? KEY_LINE.test(line) : line.includes("-----BEGIN "));
    return wasInKey && (isLast || this.#isInKey);
  }

  #keep(first: string, entry: string): void {
    for (const [id] of first.matchAll(INCIDENT_ID)) {
      if (!this.#kept.has(id)) this.#kept.set(id, entry);
    }
    while (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? "");
  }

  #write(entry: string): void {
    const now = this.#options.now();
    if (now - this.#windowMs >= WINDOW_MS) {
      if (this.#dropped > 0) this.#options.write(`(${this.#dropped} more entries were left out)`);
      this.#windowMs = now;
      this.#written = 0;
      this.#dropped = 0;
    }
    if (this.#written >= MAX_ENTRIES) {
      this.#dropped += 1;
      return;
    }
    this.#written += 1;
    this.#options.write(entry);
  }
}
