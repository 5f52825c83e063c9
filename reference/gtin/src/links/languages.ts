const LONGEST = 512;

/** The language tags of an `Accept-Language` header, best first; `*` and refused ones left out. */
export function languagesOf(header: string | null | undefined): readonly string[] {
  if (header === null || header === undefined || header.length > LONGEST) return [];
  return header
    .split(",")
    .map(readRange)
    .filter(({ tag, weight }) => /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

function readRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...params] = range.split(";").map((part) => part.trim());
  const weight = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
  return { tag, weight: Number.isFinite(weight) ? weight : 0 };
}
