import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** A button that opens a small box below it. Escape, a press elsewhere and following a link close it. */
export function Menu({
  button,
  label,
  class: names = "quiet",
  boxClass = "",
  isOpenAtFirst = false,
  children,
}: {
  /** What stands on the button. */
  readonly button: ComponentChildren;
  /** The name of the box. */
  readonly label: string;
  /** @default "quiet" */
  readonly class?: string;
  readonly boxClass?: string;
  /** @default false */
  readonly isOpenAtFirst?: boolean;
  /** What is in the box: given `close`, if something inside ends it. */
  readonly children: ComponentChildren | ((close: () => void) => ComponentChildren);
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const ending = new AbortController();
    const leave = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
    };
    const onClick = (event: MouseEvent) => {
      if ((event.target as Element).closest("a") !== null) setOpen(false);
    };
    root.current?.addEventListener("keydown", onKey, { signal: ending.signal });
    root.current?.addEventListener("click", onClick, { signal: ending.signal });
    document.addEventListener("pointerdown", leave, { signal: ending.signal });
    document.addEventListener("focusin", leave, { signal: ending.signal });
    return () => ending.abort();
  }, [isOpen]);
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        class={names}
        ref={opener}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {/* It stays in the page, so that the button can name what it controls. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
      <div id={id} class={`menu-box ${boxClass}`} role="group" aria-label={label} hidden={!isOpen}>
        {isOpen && (typeof children === "function" ? children(close) : children)}
      </div>
    </div>
  );
}
