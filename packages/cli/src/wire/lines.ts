/** Splits bytes into lines. A line over the limit is dropped as it arrives and reported by its length only. */
export function lineSplitter(
  maxBytes: number,
  onLine: (line: { readonly text: string; readonly bytes: number } | { readonly tooLong: number }) => void,
): (piece: Uint8Array) => void {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  const end = (): void => {
    if (bytes > maxBytes) onLine({ tooLong: bytes });
    else onLine({ text: new TextDecoder().decode(Buffer.concat(kept)).replace(/\r$/, ""), bytes });
    kept = [];
    bytes = 0;
  };
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > maxBytes) kept = [];
    else if (part.length > 0) kept.push(part);
  };
  return (piece) => {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
      add(piece.subarray(from, at));
      end();
      from = at + 1;
    }
    add(piece.subarray(from));
  };
}

const NEWLINE = 0x0a;
