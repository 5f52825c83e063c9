/** A compiled pattern of names. */
export type NameTest = (name: string) => boolean;

/** Compiles a pattern in which `*` stands for any number of characters. */
export function compilePattern(pattern: string): NameTest {
  return compileParts(pattern.split("*"));
}

/** Compiles patterns of which one has to match. */
export function compilePatterns(patterns: readonly string[]): NameTest {
  const tests = patterns.map(compilePattern);
  return (name) => tests.some((test) => test(name));
}

/** A test for these parts in this order, with any text between them. It never goes back, so names cannot make it slow. */
export function compileParts(parts: readonly string[]): NameTest {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (name) => name === first;
  if (rest.length === 0 && last === "") return (name) => name.startsWith(first);
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}
