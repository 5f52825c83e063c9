import { useLayoutEffect, useRef } from "preact/hooks";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { BrandMark } from "../../shell/header.tsx";
import { go, place } from "../../state/router.ts";
import { readNext } from "../../state/session.ts";
import { tabTitle } from "../../state/title.ts";

/** Exchanges the key of an operator for a session, and leads to the page that was asked for. */
export function SignInPage() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    tabTitle.value = "Sign in";
  }, []);
  return (
    <main class="sign-in-page" id="main">
      <BrandMark />
      <h1 class="title">Sign in to Recourse</h1>
      <SignInForm field={field} onDone={() => go(readNext(place.value.query.get("next")), { replace: true })} />
      <p class="sub">The key of an operator of this gateway. It is sent once, and the page does not keep it.</p>
    </main>
  );
}
