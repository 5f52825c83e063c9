import type { Effect as EffectName } from "../api/types.ts";
import { EFFECT_WORDS } from "../format/words.ts";
import { Icon } from "./icon.tsx";

/** The disc that says whether something was done: empty, half or full. `isShort` leaves the words to screen readers. */
export function Effect({ value, isShort = false }: { readonly value: EffectName; readonly isShort?: boolean }) {
  const words = EFFECT_WORDS[value];
  return (
    <span class={`effect ${value}`} title={words}>
      <Icon name={value} />
      {isShort ? <span class="sr">{words}</span> : words}
    </span>
  );
}
