import "../style/new-rows.css";

/** Says how many rows are new, and inserts them: lists do not move by themselves. */
export function NewRows({ words, onInsert }: { readonly words: string; readonly onInsert: () => void }) {
  return (
    <button type="button" class="fresh" onClick={onInsert}>
      {words} <kbd>.</kbd>
    </button>
  );
}
