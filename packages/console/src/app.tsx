import { useState } from "preact/hooks";
import { OnDemand } from "./parts/on-demand.tsx";
import { Header } from "./shell/header.tsx";
import { Boundary, PageFrame } from "./shell/page-frame.tsx";
import { Strips } from "./shell/strips.tsx";
import { go, href, place } from "./state/router.ts";
import { isSignedOut } from "./state/session.ts";
import { useShortcuts } from "./state/shortcuts.ts";

const loadSignIn = () => import("./pages/sign-in/sign-in-page.tsx").then((file) => file.SignInPage);
const loadKeysHelp = () => import("./shell/keys-help.tsx").then((file) => file.KeysHelp);
const loadSignedOut = () => import("./shell/signed-out.tsx").then((file) => file.SignedOutDialog);

/** The whole console: the head with its tabs, and the page of the present address. */
export function App() {
  return (
    <Boundary>{place.value.path === "sign-in" ? <OnDemand load={loadSignIn} props={{}} /> : <Console />}</Boundary>
  );
}

function Console() {
  const [hasKeys, showKeys] = useState(false);
  useShortcuts({
    "?": () => showKeys(true),
    "g n": () => go(href("")),
    "g i": () => go(href("incidents")),
    "g a": () => go(href("approvals")),
    "g u": () => go(href("upstreams")),
    "g c": () => go(href("callers")),
    "g h": () => go(href("changes")),
    "g d": () => go(href("decode")),
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Boundary isSmall>
        <Header onShowKeys={() => showKeys(true)} />
      </Boundary>
      <Strips />
      <PageFrame />
      {hasKeys && <OnDemand load={loadKeysHelp} props={{ onClose: () => showKeys(false) }} />}
      {isSignedOut.value && <OnDemand load={loadSignedOut} props={{}} />}
    </>
  );
}
