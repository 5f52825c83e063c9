import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { writeAgentCommand } from "./agent-command.ts";
import { CopyButton } from "./copy-button.tsx";
import { packText } from "./share-link.ts";

/** Buttons that hand the text on: as a link, and as a command for an agent. `children` stand between them. */
export function ShareButtons({
  text,
  isLinked,
  children,
}: {
  readonly text: string;
  readonly isLinked: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <div class="decoder-buttons">
        {isLinked && <LinkButton text={text} />}
        {children}
        <CopyButton text={writeAgentCommand(text)}>Ask your agent</CopyButton>
      </div>
      <p class="sub">
        {isLinked && "The text is in the part of the link after #. The part after # is not sent by browsers. "}
        “Ask your agent” copies a command for sh, bash or zsh.
      </p>
    </>
  );
}

/** The link is made before it is asked for: browsers let a page copy only at the moment of the click. */
function LinkButton({ text }: { readonly text: string }) {
  const [made, setMade] = useState<{ readonly of: string; readonly fragment: string | undefined }>();
  useEffect(() => {
    let isOver = false;
    void packText(text).then((fragment) => !isOver && setMade({ of: text, fragment }));
    return () => {
      isOver = true;
    };
  }, [text]);
  if (made?.of === text && made.fragment === undefined)
    return (
      <button type="button" class="chip" aria-disabled="true">
        No link: the text is too long for 8 kB
      </button>
    );
  const { origin, pathname, search } = window.location;
  return <CopyButton text={`${origin}${pathname}${search}${made?.fragment ?? ""}`}>Copy a link</CopyButton>;
}
