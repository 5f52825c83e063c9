/** Whether a version is below the lowest that a range such as `>=22.19.0`, `^20 || >=22` begins with. */
export function isOlder(version: string, range: string): boolean {
  const lowest = range
    .split("||")
    .flatMap((part) => /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(part)?.slice(1) ?? [])
    .map((part) => Number(part ?? 0));
  const lows: number[][] = [];
  for (let index = 0; index < lowest.length; index += 3) lows.push(lowest.slice(index, index + 3));
  const given = version.split(".").map(Number);
  return lows.length > 0 && lows.every((low) => compare(given, low) < 0);
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < 3; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
