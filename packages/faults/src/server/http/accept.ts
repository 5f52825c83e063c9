const MAX_LENGTH = 2_048;

/** Whether a client prefers a problem document to a JSON-RPC error; without a preference it does not. */
export function prefersProblem(accept: string | null): boolean {
  if (accept === null || accept.length > MAX_LENGTH) return false;
  const ranges = accept.split(",").map(readRange);
  // A range with a wild card names no preference for problems.
  const problem = ranges.find(({ type }) => type === "application/problem+json")?.weight ?? 0;
  const plain = ["application/json", "application/*", "*/*"]
    .map((type) => ranges.find((range) => range.type === type)?.weight)
    .find((weight) => weight !== undefined);
  return problem > (plain ?? 0);
}

function readRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = "", ...params] = range.split(";").map((part) => part.trim().toLowerCase());
  const q = params.find((param) => param.startsWith("q="))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}
