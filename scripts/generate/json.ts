const WIDTH = 120;

/** Writes JSON as this repository's formatter does: a list of plain values is on one line if it fits. */
export function json(value: unknown): string {
  return `${write(value, "", 0)}\n`;
}

/** `before` is the number of characters before the value on its line. */
function write(value: unknown, indent: string, before: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const plain = value.every((item) => typeof item !== "object" || item === null);
    // One more character for a comma after the list.
    if (plain && before + line.length + 1 <= WIDTH) return line;
    return block(
      "[",
      value.map((item) => deeper + write(item, deeper, deeper.length)),
      indent,
      "]",
    );
  }
  const members = Object.entries(value).map(([key, member]) => {
    const head = `${deeper}${JSON.stringify(key)}: `;
    return head + write(member, deeper, head.length);
  });
  return block("{", members, indent, "}");
}

function block(open: string, lines: readonly string[], indent: string, close: string): string {
  return lines.length === 0 ? open + close : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
