import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How long the button says that it has copied. */
const SAID_MS = 2_000;

const SAID = { copied: "Copied", refused: "The browser does not allow it" } as const;

/** A button that copies a text, and says so. */
export function CopyButton({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  const [said, say] = useState<keyof typeof SAID>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => say(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("copied");
    } catch {
      say("refused");
    }
  };
  return (
    <button type="button" class="chip" onClick={() => void copy()}>
      {children}
      <span role="status">{said === undefined ? "" : `: ${SAID[said].toLowerCase()}`}</span>
    </button>
  );
}
