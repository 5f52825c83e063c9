/** The beginning of a text that comes as bytes. */
export interface BoundedText {
  add(bytes: Uint8Array): void;
  isFull(): boolean;
  text(): string;
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
    text() {
      const decoder = new TextDecoder();
      // A character that the limit cuts is left out.
      return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
    },
  };
}
