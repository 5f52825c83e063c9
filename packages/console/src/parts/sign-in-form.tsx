import "../style/on-demand.css";
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiFailure } from "../api/client.ts";
import { now } from "../state/clock.ts";
import { signIn } from "../state/session.ts";

/** One field for the operator's key, and one button. The key is sent once and not kept. */
export function SignInForm({
  field,
  onDone,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onDone: () => void;
}) {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<ApiFailure & { readonly at: number }>();
  // The clock of the page moves once a second: it may be a little behind the answer.
  const waitMs = failure?.afterMs === undefined ? 0 : failure.afterMs - Math.max(0, now.value - failure.at);
  const submit = async () => {
    const key = field.current?.value.trim() ?? "";
    if (isRunning || waitMs > 0) return;
    setRunning(true);
    const answer = await signIn(key);
    setRunning(false);
    if (field.current !== null) field.current.value = "";
    if ("value" in answer) return onDone();
    setFailure({ ...answer.failure, at: Date.now() });
    field.current?.focus();
  };
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {/* Password managers keep the key under this name. */}
      <input type="text" name="username" autocomplete="username" value="operator" hidden readOnly />
      <label>
        <span>Operator’s key</span>
        <input
          ref={field}
          type="password"
          name="key"
          autocomplete="current-password"
          required
          aria-invalid={failure?.status === 401}
          aria-describedby="sign-in-fault"
        />
      </label>
      <p id="sign-in-fault" class="dialog-fault" role="alert">
        {failure !== undefined && signInSentence(failure)}
      </p>
      {failure?.status === 429 && waitMs > 0 && <p class="sub">Try again in {Math.ceil(waitMs / 1_000)} s.</p>}
      <button type="submit" class="btn primary" disabled={isRunning || waitMs > 0}>
        Sign in
      </button>
    </form>
  );
}

/** What a refused sign-in says. */
function signInSentence(failure: Pick<ApiFailure, "status" | "sentence">): string {
  if (failure.status === 401) return "This key is not accepted.";
  if (failure.status === 429) return "Too many keys were tried from this address.";
  return failure.sentence;
}
