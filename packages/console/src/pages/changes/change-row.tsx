import type { ComponentChildren } from "preact";
import type { Change } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { Icon } from "../../parts/icon.tsx";
import { CHANGE_ICONS, changeWords } from "./change-words.ts";

/** A change as a row: its shape, its sentence, and at the end its time. */
export function ChangeRow({
  change,
  isHot = false,
  children,
}: {
  readonly change: Change;
  /** Whether something began to fail shortly after it. @default false */
  readonly isHot?: boolean;
  readonly children: ComponentChildren;
}) {
  const { text, detail } = changeWords(change);
  return (
    <li class={isHot ? "row hot" : "row"}>
      <span class="dot">
        <Icon name={CHANGE_ICONS[change.kind]} size={14} />
      </span>
      <div>
        {showHidden(text)}
        <span class="sub">{showHidden(detail)}</span>
      </div>
      {children}
    </li>
  );
}
