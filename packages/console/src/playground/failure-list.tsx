import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import type { FailureInLog } from "./decode-log.ts";
import type { DecodedText } from "./decode-text.ts";
import type { Reading as ReadingComponent } from "./reading.tsx";

/** What a text says as a whole. If it holds several failures, they are listed, and each can be read by itself. */
export function FailureList({
  decoded,
  failures,
  decode,
  Reading,
  pageHref,
}: {
  readonly decoded: DecodedText;
  readonly failures: readonly FailureInLog[];
  readonly decode: (text: string) => DecodedText;
  readonly Reading: ComponentType<Parameters<typeof ReadingComponent>[0]>;
  readonly pageHref?: ((page: string) => string) | undefined;
}) {
  const [chosen, choose] = useState<FailureInLog>();
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {total > 1 && (
        <section class="failures card">
          <h2>
            {total.toLocaleString("en-US")} failures,{" "}
            {failures.length === 1 ? "one cause" : `${failures.length} causes`}
          </h2>
          <ol>
            <li>
              <button type="button" aria-pressed={chosen === undefined} onClick={() => choose(undefined)}>
                The text as a whole
              </button>
            </li>
            {failures.slice(0, MAX_LISTED).map((failure) => (
              <li key={failure.line + failure.title}>
                <button type="button" aria-pressed={chosen === failure} onClick={() => choose(failure)}>
                  {failure.count} × {showHidden(failure.title)}
                </button>{" "}
                <span class="sub">
                  {failure.id !== undefined && <code>{showHidden(failure.id)}</code>} {sayPlace(failure)}
                </span>
              </li>
            ))}
          </ol>
          {failures.length > MAX_LISTED && (
            <p class="sub">The first {MAX_LISTED} causes. The command recourse decode lists all of them.</p>
          )}
        </section>
      )}
      <Reading decoded={chosen === undefined ? decoded : decode(chosen.text)} pageHref={pageHref} />
    </>
  );
}

const MAX_LISTED = 20;

function sayPlace({ line, firstAt, lastAt }: FailureInLog): string {
  if (firstAt === undefined || lastAt === undefined) return `line ${line}`;
  const first = firstAt.slice(0, 19).replace("T", " ");
  return firstAt === lastAt ? `line ${line}, ${first} UTC` : `line ${line}, ${first} to ${lastAt.slice(11, 19)} UTC`;
}
