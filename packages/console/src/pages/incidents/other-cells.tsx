import { me } from "../../state/session.ts";

/** Links to the same id in the consoles of other cells. Nothing if the configuration names none. */
export function OtherCells({ id }: { readonly id: string }) {
  const cells = me.value?.cells ?? [];
  if (cells.length === 0) return null;
  return (
    <nav class="cells" aria-label="Other cells">
      <p>The same id in another cell:</p>
      <ul>
        {cells.map(({ name, url }) => (
          <li key={url}>
            <a class="plain" href={`${url}/i/${encodeURIComponent(id)}`} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
