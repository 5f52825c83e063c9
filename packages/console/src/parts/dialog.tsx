import "../style/dialog.css";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

/** A dialog over the page. The browser keeps the focus inside, and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  focus,
  class: names = "",
  children,
}: {
  readonly title: ComponentChildren;
  /** The user wants to leave it by Escape. Undefined: it cannot be left that way. */
  readonly onClose?: (() => void) | undefined;
  /** What has the focus at first. @default the first element that can have it */
  readonly focus?: RefObject<HTMLElement | null>;
  readonly class?: string;
  readonly children?: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current: dialog } = box;
    dialog?.showModal();
    focus?.current?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${names}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
