import "../style/on-demand.css";
import { useRef } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { settings } from "../state/settings.ts";

/** What keys do, as the help shows it. */
const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["/", "Ctrl K"], "Find"],
  [["?"], "This table"],
  [["g n"], "Now"],
  [["g i"], "Incidents"],
  [["g a"], "Approvals"],
  [["g u"], "Upstreams"],
  [["g c"], "Callers"],
  [["g h"], "Changes"],
  [["g d"], "Decode"],
  [["j", "k"], "Next and previous in a list, or incident of the cause"],
  [["Enter"], "Open"],
  [["."], "Insert what is new"],
  [["y"], "Copy the id"],
  [["c"], "Copy the link"],
  [["t"], "Copy for a ticket"],
  [["x"], "Mark for comparison"],
  [["a", "d"], "Go to Approve, Deny"],
  [["Esc"], "Close, clear, back to the list"],
];

/** The table of keys. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title="Keyboard" onClose={onClose} focus={close} class="keys-help">
      {!settings.value.shortcuts && <p class="sub">Single keys are off. Settings turns them on.</p>}
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-acts">
        <button type="button" class="btn" ref={close} onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
