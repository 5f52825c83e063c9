import type { ComponentType } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import { CopyButton } from "./copy-button.tsx";
import type { FailureInLog } from "./decode-log.ts";
import type { DecodedText, TextMark } from "./decode-text.ts";
import { EXAMPLE_TEXTS } from "./examples.ts";
import { FailureList } from "./failure-list.tsx";
import type { Reading as ReadingComponent } from "./reading.tsx";
import { ShareButtons } from "./share-buttons.tsx";

/** Longer texts are logs: the command line reads them. */
const MAX_PASTED = 1_000_000;
/** Somebody who types is not interrupted after each letter. */
const PAUSE_MS = 200;

/** Options of the playground. */
export interface DecoderOptions {
  /** What is in the field at first. @default "" */
  readonly text?: string;
  /** A sentence about where that text comes from, or why there is none. @default none */
  readonly note?: string | undefined;
  /** Whether texts to try are offered. @default false */
  readonly examples?: boolean;
  /** Whether a link to the text can be copied. It leads to the page at hand. @default false */
  readonly share?: boolean;
  /** The address of a page of the website, such as `errors/core/timeout/`. @default none: nothing is linked */
  readonly pageHref?: (page: string) => string;
}

/** What was read of a text. */
interface ReadText {
  readonly decoded: DecodedText;
  readonly failures: readonly FailureInLog[];
  readonly decode: (text: string) => DecodedText;
  readonly Reading: ComponentType<Parameters<typeof ReadingComponent>[0]>;
}

/** What will be in the place of the reading. */
const EMPTY = "What failed, whether it may have taken effect, who acts and what to do next will be here.";

type ReadingState = ReadText | { readonly sentence: string } | undefined;

/**
 * A field for an error of any form, and what the library reads in it. Nothing leaves the page. It knows nothing of the console,
 * so that other pages can show it.
 */
export function Decoder({ text: first = "", note, examples = false, share = false, pageHref }: DecoderOptions) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(first);
  const [state, setState] = useState<ReadingState>();
  useEffect(() => {
    if (text.trim() === "") {
      setState(undefined);
      return undefined;
    }
    let isOver = false;
    const timer = setTimeout(() => void readPasted(text).then((read) => !isOver && setState(read)), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  const read = state !== undefined && "decoded" in state ? state : undefined;
  const decoded = read?.decoded;
  return (
    <div class="decoder">
      <div class="decoder-input">
        {note !== undefined && <p class="decoder-note">{note}</p>}
        <label for={id}>The error</label>
        <textarea
          id={id}
          ref={field}
          rows={12}
          spellcheck={false}
          value={text}
          placeholder='{"isError":true,"content":[{"type":"text","text":"…"}]}'
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="sub">This text stays in this page.</p>
        {decoded?.found === true && <Marks marks={decoded.marks} field={field} />}
        <HiddenNote text={text} />
        {examples && (
          <fieldset class="decoder-buttons">
            <legend>Try an example</legend>
            {Object.entries(EXAMPLE_TEXTS).map(([name, example]) => (
              <button key={name} type="button" class="chip" onClick={() => setText(example)}>
                {name}
              </button>
            ))}
          </fieldset>
        )}
        {text.trim() !== "" && (
          <ShareButtons text={text} isLinked={share}>
            {decoded?.found === true && decoded.fault !== undefined && (
              <CopyButton text={JSON.stringify(decoded.fault, null, 2)}>Copy the fault</CopyButton>
            )}
          </ShareButtons>
        )}
      </div>
      <div class="decoded">
        <p class="sr" role="status">
          {decoded === undefined ? "" : `Read: ${showHidden(decoded.title)}`}
        </p>
        {read !== undefined ? (
          <FailureList key={text} {...read} pageHref={pageHref} />
        ) : (
          <p class="reading-place">{state !== undefined && "sentence" in state ? state.sentence : EMPTY}</p>
        )}
      </div>
    </div>
  );
}

async function readPasted(text: string): Promise<ReadingState> {
  if (text.length > MAX_PASTED)
    return { sentence: "The text is longer than 1 MB. The command recourse decode reads whole logs." };
  try {
    const [{ decodePasted }, { Reading }] = await Promise.all([import("./decode-text.ts"), import("./reading.tsx")]);
    const decoded = decodePasted(text);
    return { decoded, failures: await readSeveral(text), decode: decodePasted, Reading };
  } catch {
    return { sentence: "The part of the page that reads failures could not be loaded. Reload the page." };
  }
}

/** Several failures have several lines, or are a list of messages. A raw HTTP reply has several lines and is one failure. */
async function readSeveral(text: string): Promise<readonly FailureInLog[]> {
  const trimmed = text.trim();
  if (!/\n|^\[/.test(trimmed) || /^(?:< )?HTTP\/\d/m.test(trimmed)) return [];
  const { findFailures } = await import("./decode-log.ts");
  return findFailures(trimmed);
}

/** What would be left out, with a button that selects it in the field. */
function Marks({
  marks,
  field,
}: {
  readonly marks: readonly TextMark[];
  readonly field: { readonly current: HTMLTextAreaElement | null };
}) {
  if (marks.length === 0) return null;
  const select = ({ start, end }: TextMark) => {
    field.current?.focus();
    field.current?.setSelectionRange(start, end);
  };
  return (
    <fieldset class="decoder-buttons marks">
      <legend>Left out of this text. Select it:</legend>
      {marks.map((mark) => (
        <button key={mark.start} type="button" class="chip" onClick={() => select(mark)}>
          line {mark.line}: <mark>{mark.leaks.join(", ")}</mark>
        </button>
      ))}
    </fieldset>
  );
}

/** A field shows no characters that cannot be seen, so a sentence says that they are there. */
function HiddenNote({ text }: { readonly text: string }) {
  const [hidden] = /⟨U\+[0-9A-F]{4,6}⟩/.exec(text.length > MAX_PASTED ? "" : withoutShown(text)) ?? [];
  return hidden === undefined ? null : (
    <p class="sub">The text holds characters that cannot be seen, such as {hidden}. The reading shows them so.</p>
  );
}

/** The text with hidden characters shown; marks that it has itself do not count. */
function withoutShown(text: string): string {
  return showHidden(text.replaceAll("⟨", ""));
}
