const LONGEST = 200;
/** The most ways in which the bounded repetitions may share out a text. */
const MOST_WAYS = 100;

/** One character, class or escape with its quantifier; groups, choices and references back are not among them. */
const PIECE =
  /(?:\\(?:[pPu]\{[^{}]*\}|[^1-9k])|\[(?:\\.|[^\\\]])*\]|[^\\[\](){}|*+?^$])(?:([*+?])|\{(\d+)(,?)(\d*)\})?/uy;

/**
 * Whether a pattern is valid here and certain to be cheap. Validators run it on what callers send, so a document could
 * stall a server with it; the service behind the tool checks the text anyway.
 */
export function isCheapPattern(source: string): boolean {
  if (source.length > LONGEST || !source.startsWith("^") || !isValid(source)) return false;
  const body = source.endsWith("$") && !source.endsWith("\\$") ? source.slice(1, -1) : source.slice(1);
  let [unbounded, ways] = [0, 1];
  for (PIECE.lastIndex = 0; PIECE.lastIndex < body.length; ) {
    const piece = PIECE.exec(body);
    if (piece === null) return false;
    const [, sign, least, comma, most] = piece;
    if (sign === "*" || sign === "+" || (comma === "," && most === "")) unbounded += 1;
    else if (sign === "?") ways *= 2;
    else if (comma === ",") ways *= Number(most) - Number(least) + 1;
  }
  return unbounded <= 1 && ways <= MOST_WAYS;
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
