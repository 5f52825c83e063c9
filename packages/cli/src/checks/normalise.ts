/** What changes from answer to answer though the failure is the same: ids, times and numbers. The longest forms first. */
const CHANGING: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/gi,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(?: GMT| UTC)?/g,
  // Incident ids of Recourse are ULIDs.
  /\b[0-9A-HJKMNP-TV-Z]{26}\b/g,
  /\b(?=[a-z]{0,40}\d)[0-9a-f]{8,}\b/gi,
  // Ids with digits among letters, such as req_a1B2c3D4.
  /\b(?:req|request|trace|span|incident|err|error|evt|corr)[-_:#]\w{4,}/gi,
  /\d+(?:[.,]\d+)*/g,
];

/** A text without what changes from answer to answer, to compare two answers. */
export function normalise(text: string): string {
  let rest = text.slice(0, 20_000);
  for (const pattern of CHANGING) rest = rest.replace(pattern, "#");
  return rest.replace(/\s+/g, " ").trim();
}
