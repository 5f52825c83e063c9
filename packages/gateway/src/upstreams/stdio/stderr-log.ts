import type { Readable } from "node:stream";
import { createSecretFilter, MIN_SECRET_LENGTH, type SecretFilter } from "@recourse/core";
import { cleanLogText } from "@recourse/core/safety";
import { LineReader, sleep } from "@recourse/core/wire";
import { asBuffer } from "../message.ts";
import { PacedReading } from "../pace.ts";

/** What a child may write into the log. */
export interface ChildLogOptions {
  readonly write: (text: string) => void;
  /** Values that are never written: the variables that the child was given. */
  readonly secrets: readonly string[];
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** Bursts that are written in each window of time; the rest is counted. */
const MAX_BURSTS = 20;
const WINDOW_MS = 10_000;
const MAX_LINE_BYTES = 16_384;
/** Of a line by itself, and of lines that are written together. */
const MAX_LINE_TEXT = 500;
const MAX_ENTRY = 8_192;
const MAX_ENTRY_LINES = 100;
/** Of an entry before it is cleaned: far enough behind its end that half a secret at the cut is never shown. */
const MAX_RAW = 4 * MAX_ENTRY;
/** An entry has ended when no line came for this long. */
const QUIET_MS = 30;
/** What comes with shorter pauses than this is one burst, until it has lasted too long. */
const BURST_PAUSE_MS = 100;
const MAX_BURST_MS = 1_000;

/** A line that belongs to the one before it, as the frames of a stack do. */
const CONTINUED = /^[\t ]/;
const KEY_LINE = /^\s*(?:[A-Za-z0-9+/=]{1,80}|[A-Z][\w-]{2,20}: .{1,80})?\s*$/;
const INCIDENT_ID = /(?<![\w-])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![\w-])/g;
/** Entries that are kept for incidents, and how long to wait for one. */
const MAX_KEPT = 100;
const WAIT_MS = 150;

/**
 * What a child writes, for the log: short, a few times, and without secrets. Lines that come together are written together: many
 * programs wrap their lines, or greet with a banner. Within them a line and the indented lines after it are one entry, so that
 * the stack of an incident stands beside its id.
 */
export class ChildLog {
  readonly #options: ChildLogOptions;
  readonly #secrets: SecretFilter;
  /** Entries as they were written, by the ids that their first line names, the oldest first. */
  readonly #kept = new Map<string, string>();
  /** How each secret looks that was broken into lines. */
  readonly #wrapped: readonly WrappedSecret[];
  #lines: string[] = [];
  #quiet: NodeJS.Timeout | undefined = undefined;
  #burst: string[] = [];
  #burstLength = 0;
  #burstMs = 0;
  #pause: NodeJS.Timeout | undefined = undefined;
  #isInKey = false;
  #windowMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #dropped = 0;

  constructor(options: ChildLogOptions) {
    this.#options = options;
    this.#secrets = createSecretFilter(options.secrets);
    this.#wrapped = options.secrets.flatMap(wrappedSecret);
  }

  follow(stream: Readable): void {
    const lines = new LineReader({
      maxBytes: MAX_LINE_BYTES,
      onLine: (line) => {
        reading.countUnasked(line.length);
        this.#add(asBuffer(line).toString());
      },
      onTooLong: (bytes) => {
        reading.countUnasked(0);
        this.#add(`(a line of ${bytes} bytes)`);
      },
    });
    const onUnreadable = (error: unknown) => this.#lose(error);
    const reading = new PacedReading({ stream, lines, now: this.#options.now, onUnreadable });
    stream.on("close", () =>
      this.#safely(() => {
        lines.end();
        this.#flush();
      }),
    );
  }

  /** Writes a remark about the child. */
  line(text: string): void {
    this.#flush();
    this.#add(text);
    this.#flush();
  }

  /** The entry about an incident. It may be read a little later than the answer that names the incident. */
  async entryOf(incident: string): Promise<string | undefined> {
    const untilMs = performance.now() + WAIT_MS;
    while (!this.#kept.has(incident) && performance.now() < untilMs) await sleep(QUIET_MS / 3);
    const entry = this.#kept.get(incident);
    return entry === undefined ? undefined : this.#cleaned(entry);
  }

  #add(line: string): void {
    if (this.#isPartOfKey(line)) return;
    if (!CONTINUED.test(line) || this.#lines.length >= MAX_ENTRY_LINES) this.#end();
    this.#lines.push(line);
    this.#quiet ??= setTimeout(() => this.#safely(() => this.#end()), QUIET_MS).unref();
    this.#quiet.refresh();
    this.#addToBurst(line);
  }

  #addToBurst(line: string): void {
    const nowMs = this.#options.now();
    const isLong = this.#burst.length >= MAX_ENTRY_LINES || this.#burstLength + line.length > MAX_ENTRY;
    let rest = line;
    if (isLong || nowMs - this.#burstMs >= MAX_BURST_MS) {
      rest = this.#cutAtEnd(line);
      this.#writeBurst();
    }
    if (rest === "") return;
    if (this.#burst.length === 0) this.#burstMs = nowMs;
    this.#burst.push(rest);
    this.#burstLength += rest.length + 1;
    this.#pause ??= setTimeout(() => this.#safely(() => this.#writeBurst()), BURST_PAUSE_MS).unref();
    this.#pause.refresh();
  }

  /** A secret may begin in the last line of a piece and end in the next one. What is left of the next one. */
  #cutAtEnd(next: string): string {
    const last = this.#burst.at(-1);
    const both = `${last}\n${next}`;
    const cut = cutWrapped(both, this.#wrapped);
    if (last === undefined || cut === both) return next;
    this.#burst[this.#burst.length - 1] = cut;
    return "";
  }

  /** Whatever a child writes, at most a burst of its log is lost. */
  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#lose(error);
    }
  }

  #lose(error: unknown): void {
    this.#lines = [];
    this.#burst = [];
    this.#burstLength = 0;
    this.#write(`(an entry that cannot be read: ${String(error)})`, MAX_LINE_TEXT);
  }

  #flush(): void {
    this.#end();
    this.#writeBurst();
  }

  /** An entry is complete. It is kept if it names an incident, whether or not it is written. */
  #end(): void {
    const [first = "", ...below] = this.#lines.splice(0);
    if (first.search(INCIDENT_ID) === -1) return;
    this.#keep(first, [first, ...below].join("\n").slice(0, MAX_RAW));
  }

  #writeBurst(): void {
    const lines = this.#burst.splice(0);
    this.#burstLength = 0;
    const isText = lines.some((line) => line.trim() !== "");
    if (!isText) return;
    if (this.#isFull()) this.#dropped += 1;
    else this.#write(lines.join("\n").slice(0, MAX_RAW), lines.length === 1 ? MAX_LINE_TEXT : MAX_ENTRY);
  }

  /** Looking for secrets is most of the work, so it is done only for entries that are read. */
  #cleaned(entry: string): string {
    return cleanLogText(cutWrapped(entry, this.#wrapped), { secrets: this.#secrets, max: MAX_ENTRY });
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

  #write(entry: string, max: number): void {
    if (this.#isFull()) {
      this.#dropped += 1;
      return;
    }
    this.#written += 1;
    const text = this.#cleaned(entry);
    this.#options.write(text.length > max ? `${text.slice(0, max)}…` : text);
  }

  /** Whether no more entries are written in this window of time. */
  #isFull(): boolean {
    const now = this.#options.now();
    if (now - this.#windowMs >= WINDOW_MS) {
      if (this.#dropped > 0) this.#options.write(`(${this.#dropped} more entries were left out)`);
      this.#windowMs = now;
      this.#written = 0;
      this.#dropped = 0;
    }
    return this.#written >= MAX_BURSTS;
  }
}

/** A secret that a program may have broken into lines. */
interface WrappedSecret {
  /** Without its white space. */
  readonly bare: string;
  readonly pattern: RegExp;
}

/** Line breaks with the white space beside them, and the frame that some programs draw around their lines. */
const BETWEEN_LINES = /[\s│|]+/g;
/** Longer secrets are keys, which have lines of their own and are recognised by their form. */
const MAX_WRAPPED = 1_024;

function wrappedSecret(secret: string): readonly WrappedSecret[] {
  const bare = secret.replaceAll(BETWEEN_LINES, "");
  if (bare.length < MIN_SECRET_LENGTH || bare.length > MAX_WRAPPED) return [];
  const characters = [...bare].map((one) => one.replace(/[\\^$.*+?()[\]{}]/, "\\$&"));
  return [{ bare, pattern: new RegExp(characters.join("[\\s│|]*"), "g") }];
}

/** Cuts out secrets that are broken into lines. Most texts have none, which is quickly found out. */
function cutWrapped(text: string, secrets: readonly WrappedSecret[]): string {
  if (secrets.length === 0 || !text.includes("\n")) return text;
  const bareText = text.replaceAll(BETWEEN_LINES, "");
  const found = secrets.filter(({ bare }) => bareText.includes(bare));
  return found.reduce((rest, { pattern }) => rest.replaceAll(pattern, "[removed]"), text);
}
