/** More values than this are not looked at. */
const MAX_VALUES = 20_000;

/** All strings in a JSON value, without the names of members. Deep values cannot overflow it. */
export function stringsIn(value: unknown): readonly string[] {
  const strings: string[] = [];
  const values: unknown[] = [value];
  for (let at = 0; at < values.length && at < MAX_VALUES; at += 1) {
    const one = values[at];
    if (typeof one === "string") strings.push(one);
    else if (typeof one === "object" && one !== null) for (const inner of Object.values(one)) values.push(inner);
  }
  return strings;
}
