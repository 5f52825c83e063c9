import { Foreign } from "../../parts/foreign.tsx";
import { readKeptText } from "./facts.ts";

/** What stands for a text that the configuration does not keep. */
export function NotKept() {
  return (
    <span class="not-kept">
      Texts are not kept (<code>incidents.texts: drop</code>).
    </span>
  );
}

const WHY_REMOVED = "Removed: it contains a secret.";

/** A text of others as far as it was kept: what held a secret is a dotted box. `id` stands out if it is in the text. */
export function KeptForeign({ text, id }: { readonly text: string; readonly id?: string }) {
  const kept = readKeptText(text);
  switch (kept.state) {
    case "dropped":
      return <NotKept />;
    case "removed":
      return <span class="removed whole">{WHY_REMOVED}</span>;
    case "kept":
      return (
        <>
          {kept.pieces.map((piece, place) =>
            "isRemoved" in piece ? (
              <span key={place} class="removed" title={WHY_REMOVED}>
                removed<span class="sr">: it contains a secret</span>
              </span>
            ) : (
              <WithId key={place} text={piece.text} id={id} />
            ),
          )}
        </>
      );
    default:
      return kept satisfies never;
  }
}

function WithId({ text, id }: { readonly text: string; readonly id: string | undefined }) {
  const [head = "", ...rest] = id === undefined ? [text] : text.split(id);
  // A text that repeats the id is shown as it is.
  if (rest.length !== 1 || id === undefined) return <Foreign text={text} />;
  return (
    <>
      {head !== "" && <Foreign text={head} />}
      <code>{id}</code>
      {rest[0] !== "" && <Foreign text={rest[0] ?? ""} />}
    </>
  );
}
