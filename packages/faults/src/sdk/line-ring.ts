/** The last lines of a text that comes in pieces. */
export interface LineRing {
  add(piece: Uint8Array | string): void;
  /** The lines, oldest first; the last one may be unfinished. */
  lines(): readonly string[];
}

/** Keeps the last `max` lines, each cut to `maxLength`, however much is added. */
export function lineRing({ max, maxLength }: { readonly max: number; readonly maxLength: number }): LineRing {
  const decoder = new TextDecoder();
  const kept: string[] = [];
  let open = "";

  function finish(): void {
    if (open !== "") kept.push(open);
    if (kept.length > max) kept.shift();
    open = "";
  }

  return {
    add(piece) {
      const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
      const [first = "", ...others] = text.split(/\r?\n/);
      open = (open + first.slice(0, maxLength)).slice(0, maxLength);
      for (const line of others) {
        finish();
        open = line.slice(0, maxLength);
      }
    },
    lines: () => (open === "" ? [...kept] : [...kept, open].slice(-max)),
  };
}
