import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ApiAnswer, ApiFailure } from "../api/client.ts";
import { me } from "../state/session.ts";
import { Dialog } from "./dialog.tsx";

/** Asks once before a change: what will happen, to whom, and who is recorded. A change that fails says so inside. */
export function Confirm<T>({
  title,
  action,
  isReady = true,
  isGrave = false,
  run,
  onDone,
  onClose,
  children,
}: {
  /** A question or the change in words, such as "Reset breaker of shop". */
  readonly title: ComponentChildren;
  /** What the button says: a verb with its object. */
  readonly action: string;
  /** Whether the change can be made, for dialogs with a field. @default true */
  readonly isReady?: boolean;
  /** Whether it cannot be undone. @default false */
  readonly isGrave?: boolean;
  /** Makes the change. */
  readonly run: () => Promise<ApiAnswer<T>>;
  /** It was made. The dialog stays until its owner takes it away. */
  readonly onDone: (value: T) => void;
  /** It was cancelled. */
  readonly onClose: () => void;
  /** What will happen. */
  readonly children?: ComponentChildren;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const confirm = async () => {
    if (isRunning || !isReady) return;
    setRunning(true);
    setFailure(undefined);
    const answer = await run();
    setRunning(false);
    if ("value" in answer) onDone(answer.value);
    else setFailure(answer.failure);
  };
  return (
    <Dialog title={title} focus={cancel} onClose={() => !isRunning && onClose()}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        {children}
        {me.value !== undefined && (
          <p class="sub">
            Recorded as <b>{me.value.id}</b>.
          </p>
        )}
        <p class="dialog-fault" role="alert">
          {failure?.sentence}
          {failure?.incident !== undefined && ` Incident ${failure.incident}.`}
        </p>
        <div class="dialog-acts">
          <button type="button" class="btn" ref={cancel} onClick={() => !isRunning && onClose()}>
            Cancel
          </button>
          {/* It stays able to have the focus while it runs: a change that fails is tried again from here. */}
          <button
            type="submit"
            class={isGrave ? "btn grave" : "btn primary"}
            disabled={!isReady}
            aria-disabled={isRunning}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
