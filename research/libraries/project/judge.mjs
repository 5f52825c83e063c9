// Scores one answer against what would be right.
const WAIT = (t, ms) => new RegExp(`\\b${ms / 1000} (?:s|seconds?)\\b`).test(t);
export function judge({ text, fault }, expect, leaked, isBare = false) {
  if (leaked.length > 0) return { score: "leak", why: leaked.join(", ") };
  if (isBare || fault === undefined) return judgeText(text, expect);
  const move = fault.recourse?.[0]?.do;
  const rightKind = expect.kinds.includes(fault.kind),
    rightEffect = expect.effects.includes(fault.effect),
    rightMove = expect.moves.includes(move);
  const said = expect.text !== "needed" || text.includes(expect.say) || (fault.issues?.length ?? 0) > 0;
  const wait = expect.afterMs;
  const waitKnown = wait === undefined || near(fault.retry?.afterMs, wait) || near(fault.recourse?.[0]?.afterMs, wait);
  const waitRead = wait === undefined || [wait, wait - 1000, wait - 2000].some((w) => WAIT(text, w));
  if (rightKind && rightEffect && rightMove && said && waitKnown && waitRead) return { score: "right" };
  const lacks = [
    !rightKind && `kind ${fault.kind}`,
    !rightEffect && `effect ${fault.effect}`,
    !rightMove && `move ${move}`,
    !said && "the service's words",
    !waitKnown && "the wait",
    waitKnown && !waitRead && "the wait in the text",
  ]
    .filter(Boolean)
    .join(", ");
  return { score: grade(expect, move, fault), why: lacks };
}
const near = (a, b) => typeof a === "number" && a <= b + 500 && a >= b - 2000;
/** wrong: following the advice makes matters worse or gives up what would have worked; half: safe, but says less. */
function grade(expect, move, _fault) {
  const E = expect.moves[0];
  if (expect.moves.includes(move)) return "half";
  if (E === "retry") return move === "refresh" ? "half" : "wrong"; // "do not repeat" where a repetition is right
  if (E === "refresh" && expect.kinds.includes("conflict")) return "wrong"; // the model should look and decide again
  if (E === "refresh") return move === "stop" ? "half" : "wrong"; // both keep from repeating; retry would be dangerous
  if (["choose_another", "fix_input", "do_first", "authenticate"].includes(E))
    return ["choose_another", "fix_input", "do_first", "ask_user", "refresh"].includes(move) ? "half" : "wrong";
  if (E === "stop" || E === "ask_user") return move === "retry" ? "wrong" : "half";
  return "wrong";
}
/** What a bare text says: it has no advice, so at most half, if the cause can be read from it. */
function judgeText(text, expect) {
  if (expect.text === "needed") return { score: text.includes(expect.say) ? "half" : "wrong", why: "text only" };
  const words = {
    rate_limited: /429|too many|rate.?limit|slow down|exhausted/i,
    not_found: /404|not.?found|no item|does not exist|no such|missing|there is no/i,
    conflict: /409|conflict|changed by|already|duplicate|unique|taken|exists/i,
    timeout: /time|abort|deadline/i,
    unavailable:
      /401|403|50\d|unauthorized|forbidden|unavailable|maintenance|refused|connect|reset|terminated|aborted|closed|auth|denied|permission|certificate|lacks|getaddrinfo|invalid api key|network|read.?only|space/i,
    upstream_failed: /50\d|internal|json|token|parse|failed|terminated|aborted|reset|unavailable|error/i,
    invalid_input: /invalid|must|required|fail|expected|null|too long|violates|validation|not allowed|closed|closing/i,
    unauthenticated: /expired|signature|sign in/i,
    overloaded: /lock|busy|overload|throttl|529|throughput|try again|serialize|oom/i,
    internal: /./,
    cancelled: /abort|cancel/i,
    precondition_failed: /declined|not empty|precondition|invalid|must/i,
    forbidden: /denied|permission|forbidden/i,
    unsupported: /unimplemented|405/i,
    quota_exhausted: /quota/i,
  };
  return expect.kinds.some((k) => words[k]?.test(text))
    ? { score: "half", why: "no advice" }
    : { score: "wrong", why: "says nothing usable" };
}
