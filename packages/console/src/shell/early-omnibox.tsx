import { useRef } from "preact/hooks";
import { firstAnswer } from "../api/client.ts";
import { Icon } from "../parts/icon.tsx";
import { useOnDemand } from "../parts/on-demand.tsx";
import { useShortcuts } from "../state/shortcuts.ts";

const NAME = "Find an incident, a tool, a reason or a caller";
const HINT = "Paste an incident id, or type a tool, reason or caller";
const SHORT_HINT = "Incident id, tool, reason, caller";

const loadOmnibox = () => firstAnswer.then(() => import("./omnibox.tsx")).then((file) => file.Omnibox);

/** The box at the top. Until the part that reads it is loaded, it can be typed into and sent already. */
export function EarlyOmnibox() {
  const field = useRef<HTMLInputElement>(null);
  const isSent = useRef(false);
  const { component: Loaded } = useOnDemand(loadOmnibox);
  // The loaded box has the key itself.
  useShortcuts({ "/": Loaded ? undefined : () => field.current?.focus() });
  const { current: early } = field;
  const hint = innerWidth < 820 ? SHORT_HINT : HINT;
  if (Loaded !== undefined)
    return (
      <Loaded
        name={NAME}
        hint={hint}
        text={early?.value ?? ""}
        hasFocus={early !== null && document.activeElement === early}
        isSent={isSent.current}
      />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form itself is the landmark.
    <form
      class="omni"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        isSent.current = true;
      }}
    >
      <Icon name="search" />
      <input ref={field} type="text" aria-label={NAME} placeholder={hint} autocomplete="off" />
      <kbd>/</kbd>
    </form>
  );
}
