/** The JSON Pointer of a path of keys and indexes. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys in a JSON Pointer. Indexes are returned as text. */
export function fromPointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** The key that one token of a JSON Pointer stands for. */
export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
