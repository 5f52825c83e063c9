import { useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";

/** Longer texts are cut until the user wants all of them. */
const SHOWN = 4_096;

/** Text of others: never markup, never a link, with hidden characters made visible. */
export function Foreign({ text, isWhole = false }: { readonly text: string; readonly isWhole?: boolean }) {
  const [isOpen, open] = useState(isWhole);
  const isCut = !isOpen && text.length > SHOWN;
  return (
    <span class="foreign" dir="auto">
      {showHidden(isCut ? text.slice(0, SHOWN) : text)}
      {isCut && (
        <>
          …{" "}
          <button type="button" class="quiet" onClick={() => open(true)}>
            Show all {text.length.toLocaleString("en-US")} characters
          </button>
        </>
      )}
    </span>
  );
}
