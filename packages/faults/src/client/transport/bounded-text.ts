import { readText } from "../../safety/read-text.ts";

/** The beginning of a text that comes as bytes. */
export interface BoundedText {
  add(bytes: Uint8Array): void;
  isFull(): boolean;
  /** Undefined if the bytes are not text in UTF-8. */
  text(): string | undefined;
}

/** Collects bytes up to a limit; the text is made only when somebody asks for it. */
export function boundedText(limit: number): BoundedText {
  const pieces: Uint8Array[] = [];
  let room = limit;
  return {
    add(bytes) {
      if (room === 0) return;
      // A copy: whoever reads the stream after us may give the bytes away.
      const piece = bytes.slice(0, room);
      room -= piece.length;
      pieces.push(piece);
    },
    isFull: () => room === 0,
    text: () => readText(joined(pieces), { cut: true }),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
