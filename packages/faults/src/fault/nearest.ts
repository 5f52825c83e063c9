/** How much two names may differ and still be a slip: one edit for short names, more for long ones. */
const slipsAllowed = (length: number): number => (length <= 4 ? 1 : length <= 8 ? 2 : 3);

/** The known names nearest to one that was not known, best first; nothing when none is near. */
export function nearest(name: string, known: Iterable<string>, most = 3): string[] {
  const asked = fold(name).slice(0, 64);
  const found: { name: string; distance: number }[] = [];
  for (const candidate of known) {
    const folded = fold(candidate).slice(0, 64);
    const distance = edits(asked, folded);
    if (distance <= slipsAllowed(Math.max(asked.length, folded.length))) found.push({ name: candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, most).map((one) => one.name);
}

/** Case and separators are the commonest slips, so they count for nothing. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, "");
}

/** Edits between two words, where swapping two neighbours counts as one (optimal string alignment). */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
