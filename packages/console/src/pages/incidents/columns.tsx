// The three columns of an incident: what the model read, what happened, what to do.
import type { Explanation, Incident } from "../../api/types.ts";
import { left } from "../../format/time.ts";
import { Card } from "../../parts/card.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Json } from "../../parts/json.tsx";
import { Part } from "../../parts/part.tsx";
import type { Resource } from "../../state/resource.ts";
import { actorWords, type FaultMove, faultMoves, isDropped, moveWords } from "./facts.ts";
import { KeptForeign, NotKept } from "./kept-text.tsx";
import { type KnownAbout, whatToDo } from "./what-to-do.ts";

type Sample = NonNullable<Incident["sample"]>;

/** What the model read, word for word, and what its program got. */
export function ModelRead({ incident, sample }: { readonly incident: Incident; readonly sample: Sample }) {
  const moves = faultMoves(incident);
  return (
    <Card id="read" title="The model read" aside={<span class="sub">word for word</span>}>
      <SentText incident={incident} sample={sample} />
      {moves.length > 0 && (
        <div class="moves">
          <span class="sub">Next moves it was given</span>
          {moves.map((move) => (
            <span key={move.code} class="move">
              {describeMove(move)}
              <code>{move.code}</code>
            </span>
          ))}
        </div>
      )}
      <details>
        <summary>The whole fault, as the program got it</summary>
        <Json text={JSON.stringify(sample.fault)} label="the fault" />
      </details>
    </Card>
  );
}

function SentText({ incident, sample }: { readonly incident: Incident; readonly sample: Sample }) {
  if (sample.sentText !== undefined)
    return (
      <blockquote>
        <KeptForeign text={sample.sentText} id={incident.id} />
      </blockquote>
    );
  return (
    <p class="gap">
      {isDropped(sample) ? (
        <NotKept />
      ) : (
        "No sentence was sent: the format of this caller has none. Its program got the fault."
      )}
    </p>
  );
}

function describeMove({ code, afterMs, tool }: FaultMove) {
  return (
    <span>
      {moveWords(code)}
      {tool !== undefined && (
        <>
          {" with "}
          <Foreign text={tool} />
        </>
      )}
      {afterMs !== undefined && ` after ${left(afterMs)}`}
    </span>
  );
}

/** The chain of causes, which only operators see. */
export function WhatHappened({ sample }: { readonly sample: Sample }) {
  return (
    <Card id="real" title="What happened" aside={<span class="sub">for you only</span>}>
      {sample.causes.length === 0 ? (
        <p class="gap">No error was thrown. The fault was made from the answer itself.</p>
      ) : (
        <ol class="chain">
          {sample.causes.map((cause, place) => (
            <li key={place}>
              <p>
                <b>
                  <Foreign text={cause.name} />
                </b>{" "}
                {cause.code !== undefined && (
                  <code class="code">
                    <Foreign text={cause.code} />
                  </code>
                )}
                {cause.relation === "member" && <span class="sub"> one of several</span>}
              </p>
              <p class="msg">
                <KeptForeign text={cause.message} />
              </p>
              <CauseFields fields={cause.fields ?? {}} />
              {cause.frames.length > 0 && (
                <ul class="frames">
                  {cause.frames.map((frame, line) => (
                    <li key={line}>
                      <Foreign text={frame.replace(/^at /, "")} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ol>
      )}
      {sample.upstreamLog !== undefined && (
        <details>
          <summary>What the upstream wrote to its log</summary>
          <pre>
            <KeptForeign text={sample.upstreamLog} />
          </pre>
        </details>
      )}
    </Card>
  );
}

function CauseFields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  const entries = Object.entries(fields);
  if (entries.length === 0) return null;
  return (
    <dl class="fields">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Foreign text={name} />{" "}
          </dt>
          <dd>
            <KeptForeign text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the operator can do about it. */
export function WhatToDo({
  known,
  explanation,
}: {
  readonly known: KnownAbout;
  readonly explanation: Resource<Explanation>;
}) {
  const points = whatToDo({ ...known, explanation: explanation.value });
  const { reason } = known.incident;
  const docs = explanation.value?.docs;
  return (
    <Card
      id="todo"
      title="What to do"
      class="todo"
      aside={<span class="sub">{actorWords(explanation.value?.actor) ?? "You"}</span>}
    >
      {points.length > 0 ? (
        <ol class="points">
          {points.map((point) => (
            <li key={point}>
              <Foreign text={point} />
            </li>
          ))}
        </ol>
      ) : (
        explanation.value !== undefined && <p class="gap">{explanation.value.meaning}</p>
      )}
      {explanation.failure !== undefined && explanation.failure.status !== 404 && (
        <Part value={undefined} failure={explanation.failure} onRetry={explanation.reload} bones={1}>
          {() => null}
        </Part>
      )}
      <p class="todo-about">
        {docs === undefined ? (
          <span class="sub">
            Reason{" "}
            <code>
              <Foreign text={reason} />
            </code>
          </span>
        ) : (
          <a href={docs} target="_blank" rel="noreferrer">
            About{" "}
            <code>
              <Foreign text={reason} />
            </code>
            <Icon name="out" size={12} />
          </a>
        )}
      </p>
    </Card>
  );
}
