import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** How long the button says that it has copied. */
const SAID_MS = 2_000;

/** Copies a text. `label` names what is copied, such as "the incident id". */
export function Copy({
  text,
  label,
  children,
}: {
  readonly text: string | (() => string);
  readonly label: string;
  readonly children?: ComponentChildren;
}) {
  const [isCopied, say] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => say(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(() => say(true));
  return (
    <button
      type="button"
      class={children === undefined ? "quiet square" : "quiet"}
      aria-label={`Copy ${label}`}
      onClick={copy}
    >
      <Icon name={isCopied ? "check" : "copy"} size={14} />
      {children}
      <span class="sr" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </button>
  );
}
