import { useEffect, useId, useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import type { DecodedText } from "./decode-text.ts";
import { Effect } from "./effect.tsx";
import { Foreign } from "./foreign.tsx";

/** Longer texts are logs: the command line reads them. */
const MAX_PASTED = 1_000_000;
/** Somebody who types is not interrupted after each letter. */
const PAUSE_MS = 200;

type ReadingState = { readonly decoded: DecodedText } | { readonly sentence: string } | undefined;

/**
 * A field for a reply of a server, and what the library reads in it. Nothing leaves the page. It knows nothing of the
 * console, so that other pages can show it.
 */
export function Decoder({
  text: first = "",
}: {
  /** What is in the field at first. @default "" */ readonly text?: string;
}) {
  const id = useId();
  const [text, setText] = useState(first);
  const [state, setState] = useState<ReadingState>();
  useEffect(() => {
    if (text.trim() === "") {
      setState(undefined);
      return undefined;
    }
    let isOver = false;
    const timer = setTimeout(() => void parsePasted(text).then((read) => !isOver && setState(read)), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <div class="decoder">
      <div>
        <label for={id}>A reply of a server, a log line or an error message</label>
        <textarea
          id={id}
          rows={12}
          spellcheck={false}
          value={text}
          placeholder='{"isError":true,"content":[{"type":"text","text":"…"}]}'
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="sub">This text stays in this page.</p>
      </div>
      <div class="decoded" role="status">
        {state === undefined ? null : "sentence" in state ? (
          <p class="reading">{state.sentence}</p>
        ) : (
          <Reading decoded={state.decoded} />
        )}
      </div>
    </div>
  );
}

async function parsePasted(text: string): Promise<ReadingState> {
  if (text.length > MAX_PASTED)
    return { sentence: "The text is longer than 1 MB. The command recourse decode reads whole logs." };
  try {
    const { decodePasted } = await import("./decode-text.ts");
    return { decoded: decodePasted(text) };
  } catch {
    return { sentence: "The part of the page that reads failures could not be loaded. Reload the page." };
  }
}

function Reading({ decoded }: { readonly decoded: DecodedText }) {
  if (!decoded.found)
    return (
      <section class="reading card">
        <h2>{decoded.title}</h2>
        <p>{decoded.sentence}</p>
      </section>
    );
  return (
    <section class="reading card">
      <h2>{decoded.title}</h2>
      <p>
        <Foreign text={decoded.sentence} />
      </p>
      <p class="advice">
        <Foreign text={decoded.advice} />
      </p>
      {decoded.code !== undefined && <pre>{showHidden(decoded.code)}</pre>}
      <dl>
        <div>
          <dt>Effect</dt>
          <dd>
            <Effect value={decoded.effect} />
          </dd>
        </div>
        {decoded.moves.length > 0 && (
          <div>
            <dt>Next moves</dt>
            <dd>
              {decoded.moves.map((move) => (
                <span key={move.code} class="decoded-move">
                  {showHidden(move.words)} <code>{move.code}</code>
                </span>
              ))}
            </dd>
          </div>
        )}
        {decoded.facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Foreign text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {decoded.modelReads !== undefined && (
        <>
          <h3>A model would read</h3>
          <blockquote>
            <Foreign text={decoded.modelReads} />
          </blockquote>
        </>
      )}
      <h3>Left out</h3>
      <p>{decoded.leftOut ?? "Nothing. The text holds no secret and nothing internal that is known."}</p>
    </section>
  );
}
