import type { Readable } from "node:stream";
import { createSecretFilter, MIN_SECRET_LENGTH, type SecretFilter } from "@recourse/core";
import { cleanLogText } from "@recourse/core/safety";
import { LineReader, sleep } from "@recourse/core/wire";
import { Allowance, UNASKED } from "../flood.ts";
import { asBuffer } from "../message.ts";

/** What a child may write into the log. */
export interface ChildLogOptions {
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
const MAX_ENTRY = 8_192;
/** Of an entry before it is cleaned: far enough behind its end that half a secret at the cut is never shown. */
const MAX_RAW = 4 * MAX_ENTRY;
/** Lines that come with shorter pauses are one entry: many programs wrap their lines, or greet with a banner. */
const PAUSE_MS = 100;

/** A line that belongs to the one before it, as the frames of a stack do. */
const CONTINUED = /^[\t ]/;
/** The last lines, in which the entry of an incident is found, and how long to wait for one. */
const MAX_LAST_LINES = 1_000;
const WAIT_MS = 150;
const ENTRY_LOOK_MS = 10;

/** What a child writes, for the log: short, a few times, and without secrets. */
export class ChildLog {
  readonly #options: ChildLogOptions;
  readonly #secrets: SecretFilter;
  /** How each secret looks that was broken into lines. */
  readonly #wrapped: readonly WrappedSecret[];
  readonly #last: string[] = [];
  #entry: string[] = [];
  #entryLength = 0;
  #pause: NodeJS.Timeout | undefined = undefined;
  #windowMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #dropped = 0;

  constructor(options: ChildLogOptions) {
    this.#options = options;
    this.#secrets = createSecretFilter(options.secrets);
    this.#wrapped = options.secrets.flatMap(wrappedSecret);
  }

  /** Reads the log of a child. What it writes beyond its allowance is dropped. */
  follow(stream: Readable): void {
    const allowance = new Allowance({ ...UNASKED, now: this.#options.now });
    const lines = new LineReader({
      maxBytes: MAX_LINE_BYTES,
      onLine: (line) => this.#add(asBuffer(line).toString()),
      onTooLong: (bytes) => this.#add(`(a line of ${bytes} bytes)`),
    });
    stream.on("data", (piece: Buffer) => {
      if (allowance.take(piece.length)) this.#safely(() => lines.push(piece));
      else this.#dropped += 1;
    });
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
    let found = this.#find(incident);
    while (!found.isWhole && performance.now() < untilMs) {
      await sleep(ENTRY_LOOK_MS);
      found = this.#find(incident);
    }
    return found.lines.length === 0 ? undefined : this.#cleaned(found.lines.join("\n"));
  }

  /** The line that names an incident, with the indented ones after it. It is whole when another one follows. */
  #find(incident: string): { readonly lines: readonly string[]; readonly isWhole: boolean } {
    const first = this.#last.findLastIndex((line) => line.includes(incident));
    if (first === -1) return { lines: [], isWhole: false };
    const after = this.#last.findIndex((line, at) => at > first && !CONTINUED.test(line));
    return { lines: this.#last.slice(first, after === -1 ? undefined : after), isWhole: after !== -1 };
  }

  #add(line: string): void {
    this.#last.push(line);
    if (this.#last.length > MAX_LAST_LINES) this.#last.splice(0, MAX_LAST_LINES / 2);
    this.#pause ??= setTimeout(() => this.#safely(() => this.#flush()), PAUSE_MS).unref();
    this.#pause.refresh();
    if (this.#entryLength > MAX_RAW) return;
    this.#entry.push(line);
    this.#entryLength += line.length + 1;
  }

  /** Whatever a child writes, at most an entry of its log is lost. */
  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#entry = [];
      this.#entryLength = 0;
      this.#write(`(an entry that cannot be read: ${String(error)})`);
    }
  }

  #flush(): void {
    const lines = this.#entry.splice(0);
    this.#entryLength = 0;
    if (lines.some((line) => line.trim() !== "")) this.#write(lines.join("\n"));
  }

  #cleaned(entry: string): string {
    const text = cutWrapped(entry.slice(0, MAX_RAW), this.#wrapped);
    return cleanLogText(text, { secrets: this.#secrets, max: MAX_ENTRY });
  }

  #write(entry: string): void {
    const { now, write } = this.#options;
    if (now() - this.#windowMs >= WINDOW_MS) {
      if (this.#dropped > 0) write(`(${this.#dropped} more entries were left out)`);
      this.#windowMs = now();
      this.#written = 0;
      this.#dropped = 0;
    }
    if (this.#written >= MAX_ENTRIES) {
      this.#dropped += 1;
      return;
    }
    this.#written += 1;
    write(this.#cleaned(entry));
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
