import type { ComponentChildren } from "preact";

/** A box with a title. `aside` stands at the right of the title. */
export function Card({
  id,
  title,
  note,
  aside,
  class: names = "",
  children,
}: {
  /** The id of the heading, for labels. */
  readonly id: string;
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class={`card ${names}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <p>{note}</p>}
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
