import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import { Effect } from "../parts/effect.tsx";
import { Foreign } from "../parts/foreign.tsx";
import type { DecodedFailure, DecodedText, TextPart } from "./decode-text.ts";
import type { EncodedFault } from "./encode-fault.ts";

/** What a text says: a card with the failure, what a model reads of it, and what to do. */
export function Reading({
  decoded,
  pageHref,
}: {
  readonly decoded: DecodedText;
  /** The address of a page of the website, such as `errors/core/timeout/`. @default none: nothing is linked */
  readonly pageHref?: ((page: string) => string) | undefined;
}) {
  return (
    <section class="reading card">
      <h2>
        <Foreign text={decoded.title} />
      </h2>
      <p>
        <Foreign text={decoded.sentence} />
      </p>
      {decoded.found ? (
        <FailureParts decoded={decoded} pageHref={pageHref} />
      ) : (
        pageHref !== undefined && (
          <p>
            A code alone has many senders: <a href={pageHref("errors/")}>look it up in the list of errors</a>.
          </p>
        )
      )}
    </section>
  );
}

function FailureParts({
  decoded,
  pageHref,
}: {
  readonly decoded: DecodedFailure;
  readonly pageHref: ((page: string) => string) | undefined;
}) {
  const { system, kind, reason, effect, actor, moves, facts, sentParts, modelReads, leftOut, fault } = decoded;
  const [move] = moves;
  return (
    <>
      <dl class="reading-main">
        <Fact name="System">{system}</Fact>
        {kind !== undefined && <Fact name="Kind">{showHidden(kind)}</Fact>}
        {reason !== undefined && (
          <Fact name="Reason">
            {pageHref !== undefined && decoded.isDocumented ? (
              <a href={pageHref(`errors/${reason}/`)}>{reason}</a>
            ) : (
              showHidden(reason)
            )}
          </Fact>
        )}
        <Fact name="Effect">
          <Effect value={effect} />
        </Fact>
        <Fact name="Who acts">{actor}</Fact>
        {move !== undefined && (
          <Fact name="Next move">
            {moves.map(({ code, words }) => (
              <span key={code} class="decoded-move">
                {showHidden(words)} <code>{code}</code>
              </span>
            ))}
          </Fact>
        )}
      </dl>
      {sentParts !== undefined && (
        <Part title="Without Recourse the model reads">
          <blockquote class="sent-text">
            <SentParts parts={sentParts} />
          </blockquote>
        </Part>
      )}
      {modelReads !== undefined && (
        <Part title="With Recourse the model reads">
          <blockquote>
            <Foreign text={modelReads} />
          </blockquote>
        </Part>
      )}
      <Part title="Left out">
        {leftOut.length === 0 ? (
          <p>Nothing. The text holds no secret and nothing internal that is known.</p>
        ) : (
          <p class="bad">The text shows {listWords(leftOut)}. A model would not read it.</p>
        )}
      </Part>
      <Part title="What to do">
        <ul>
          {listActions(decoded).map((action) => (
            <li key={action}>
              <Foreign text={action} />
            </li>
          ))}
        </ul>
        {decoded.code !== undefined && <pre>{showHidden(decoded.code)}</pre>}
      </Part>
      {decoded.repeat !== undefined && (
        <Part title="May it be repeated?">
          <p>{toSentence(decoded.repeat)}</p>
        </Part>
      )}
      <dl class="reading-facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {name === "Cause" && pageHref !== undefined ? (
              <a href={pageHref(`causes/${value.toLowerCase()}/`)}>{value}</a>
            ) : (
              <Foreign text={value} />
            )}
          </Fact>
        ))}
      </dl>
      {fault !== undefined && <Encodings key={JSON.stringify(fault)} fault={fault} />}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="reading-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** The advice for this text first: it names what the text names. Then the remedies of the reason that say something else. */
function listActions({ advice, remedies }: DecodedFailure): readonly string[] {
  const others = remedies.filter((remedy) => remedy !== advice && !remedy.startsWith(advice));
  const [full = advice] = remedies.filter((remedy) => remedy.startsWith(advice));
  return [full, ...others];
}

/** Longer parts are cut: the whole text is in the field. */
const MAX_PART = 2_000;
const MAX_PARTS = 40;

/** The text with blocks for what it gives away, each with its name. */
function SentParts({ parts }: { readonly parts: readonly TextPart[] }) {
  return (
    <span class="foreign" dir="auto">
      {parts.slice(0, MAX_PARTS).map((part) => {
        if ("text" in part)
          return showHidden(part.text.length > MAX_PART ? `${part.text.slice(0, MAX_PART)} …` : part.text);
        return (
          <mark>
            <span aria-hidden="true">{"▒".repeat(Math.min(part.length, 24))} </span>({listWords(part.leaks)})
          </mark>
        );
      })}
      {parts.length > MAX_PARTS && " …"}
    </span>
  );
}

type EncodingState = readonly EncodedFault[] | "failed" | undefined;

/** The fault in every wire format. The encoders are loaded when this is opened. */
function Encodings({ fault }: { readonly fault: NonNullable<DecodedFailure["fault"]> }) {
  const [encoded, setEncoded] = useState<EncodingState>();
  const open = () => {
    if (Array.isArray(encoded)) return;
    import("./encode-fault.ts").then(
      ({ encodeInAllFormats }) => setEncoded(encodeInAllFormats(fault)),
      () => setEncoded("failed"),
    );
  };
  return (
    <details class="reading-part" onToggle={(event) => event.currentTarget.open && open()}>
      <summary>As MCP, HTTP and five other systems send it</summary>
      {encoded === "failed" && <p>The part of the page that writes faults could not be loaded. Reload the page.</p>}
      {Array.isArray(encoded) &&
        encoded.map(({ name, json }) => (
          <div key={name}>
            <h3>{name}</h3>
            <pre>{showHidden(json)}</pre>
          </div>
        ))}
    </details>
  );
}

/** `a`, `a and b`, `a, b and c`. */
function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function toSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
