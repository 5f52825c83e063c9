import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Me } from "../api/types.ts";
import { needsRole } from "../format/words.ts";
import { mayAct } from "../state/session.ts";

/**
 * A button for a change. An operator who may not make it sees the button, disabled, with the reason as its description.
 */
export function RoleButton({
  needs,
  why,
  class: names = "btn small",
  label,
  onClick,
  children,
}: {
  /** The role that may make it. Its name is not `role`, which is an attribute of elements. */
  readonly needs: Me["role"];
  /** Why nobody can press it now, such as "Redis is down". */
  readonly why?: string | undefined;
  readonly class?: string;
  /** Its name for screen readers, if the words on it need their surroundings. */
  readonly label?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const reason = mayAct(needs) ? why : needsRole(needs);
  // It can have the focus while it is disabled, so that the reason can be read without a pointer.
  return (
    <>
      <button
        type="button"
        class={names}
        {...(label !== undefined && { "aria-label": label })}
        {...(reason !== undefined && { "aria-disabled": "true", "aria-describedby": id, title: reason })}
        onClick={() => reason === undefined && onClick()}
      >
        {children}
      </button>
      {reason !== undefined && (
        <span id={id} class="sr">
          {reason}
        </span>
      )}
    </>
  );
}
