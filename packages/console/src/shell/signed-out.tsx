import { useRef } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { me } from "../state/session.ts";

/** Over the page when the session has ended: what was typed below it stays. */
export function SignedOutDialog() {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title="Your session has ended." focus={field}>
      <p>{me.value !== undefined && `You were signed in as ${me.value.id}. `}The page stays as it is.</p>
      <SignInForm field={field} onDone={() => undefined} />
    </Dialog>
  );
}
