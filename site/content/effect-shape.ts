// The shapes of effects, as in the console: an empty, a half and a full disc.
import type { CatalogueRow } from "../data/catalogue.ts";

const SHAPES = {
  none: '<circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5"/>',
  possible:
    '<circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor"/>',
  applied: '<circle cx="8" cy="8" r="6" fill="currentColor"/>',
} as const satisfies Record<CatalogueRow["effect"], string>;

/** The disc that says whether a call took effect. Its meaning stands beside it in words. */
export function drawEffect(effect: CatalogueRow["effect"]): string {
  return `<svg class="effect-shape" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[effect]}</svg>`;
}
