// What would be right. Written before any answer of the guard was looked at.
// moves: first moves that are right; "~" marks moves that are safe but say less (half at best).
const both = (x) => ({ read: x, write: x });
export const W = {
  rate: (afterMs) => ({
    read: { kinds: ["rate_limited"], effects: ["none"], moves: ["retry"], afterMs, text: "no" },
    write: { kinds: ["rate_limited"], effects: ["none", "possible"], moves: ["retry", "refresh"], afterMs, text: "no" },
  }),
  quota: both({
    kinds: ["unavailable", "quota_exhausted"],
    effects: ["none", "possible"],
    moves: ["stop", "ask_user"],
    text: "no",
  }),
  busy: {
    read: {
      kinds: ["overloaded", "conflict", "unavailable", "rate_limited"],
      effects: ["none"],
      moves: ["retry"],
      text: "no",
    },
    write: {
      kinds: ["overloaded", "conflict", "unavailable", "rate_limited"],
      effects: ["none", "possible"],
      moves: ["retry", "refresh"],
      text: "no",
    },
  },
  down: {
    read: { kinds: ["unavailable"], effects: ["none"], moves: ["retry"], text: "no" },
    write: { kinds: ["unavailable"], effects: ["none", "possible"], moves: ["retry", "refresh"], text: "no" },
  },
  wait503: (afterMs) => ({
    read: { kinds: ["unavailable", "overloaded"], effects: ["none"], moves: ["retry"], afterMs, text: "no" },
    write: {
      kinds: ["unavailable", "overloaded"],
      effects: ["none", "possible"],
      moves: ["refresh", "retry"],
      afterMs,
      text: "no",
    },
  }),
  lost: {
    read: { kinds: ["unavailable", "upstream_failed"], effects: ["none"], moves: ["retry"], text: "no" },
    write: {
      kinds: ["unavailable", "upstream_failed"],
      effects: ["possible", "applied"],
      moves: ["refresh"],
      text: "no",
    },
  },
  timeout: {
    read: { kinds: ["timeout"], effects: ["none"], moves: ["retry"], text: "no" },
    write: { kinds: ["timeout"], effects: ["possible"], moves: ["refresh"], text: "no" },
  },
  upfail: {
    read: { kinds: ["upstream_failed", "unavailable"], effects: ["none"], moves: ["retry"], text: "no" },
    write: {
      kinds: ["upstream_failed", "unavailable"],
      effects: ["possible", "applied"],
      moves: ["refresh"],
      text: "no",
    },
  },
  badreply: {
    read: { kinds: ["upstream_failed"], effects: ["none"], moves: ["retry", "stop"], text: "no" },
    write: { kinds: ["upstream_failed"], effects: ["possible", "applied"], moves: ["refresh"], text: "no" },
  },
  config: both({ kinds: ["unavailable"], effects: ["none", "possible"], moves: ["stop"], text: "no" }),
  denied: both({
    kinds: ["unavailable", "forbidden"],
    effects: ["none", "possible"],
    moves: ["stop", "ask_user"],
    text: "no",
  }),
  notfound: both({ kinds: ["not_found"], effects: ["none", "possible"], moves: ["choose_another"], text: "optional" }),
  conflict: both({ kinds: ["conflict"], effects: ["none", "possible"], moves: ["refresh"], text: "optional" }),
  // without the words of the service the model cannot correct anything: right only with them
  input: (say) =>
    both({
      kinds: ["invalid_input", "precondition_failed"],
      effects: ["none", "possible"],
      moves: ["fix_input", "do_first"],
      text: say === undefined ? "optional" : "needed",
      say,
    }),
  state: both({
    kinds: ["precondition_failed", "conflict", "invalid_input"],
    effects: ["none", "possible"],
    moves: ["do_first", "refresh", "fix_input", "ask_user"],
    text: "optional",
  }),
  pay: both({
    kinds: ["precondition_failed", "forbidden"],
    effects: ["none", "possible"],
    moves: ["ask_user", "stop"],
    text: "optional",
  }),
  unsupported: both({
    kinds: ["unsupported", "unavailable"],
    effects: ["none", "possible"],
    moves: ["choose_another", "stop"],
    text: "no",
  }),
  bug: {
    read: { kinds: ["internal", "unavailable"], effects: ["none"], moves: ["stop"], text: "no" },
    write: { kinds: ["internal", "unavailable"], effects: ["possible", "none"], moves: ["stop"], text: "no" },
  },
  program: {
    read: {
      kinds: ["upstream_failed", "internal"],
      effects: ["none"],
      moves: ["stop", "retry", "refresh"],
      text: "no",
    },
    write: { kinds: ["upstream_failed", "internal"], effects: ["possible"], moves: ["stop", "refresh"], text: "no" },
  },
  token: both({ kinds: ["unauthenticated"], effects: ["none", "possible"], moves: ["authenticate"], text: "no" }),
  cancelled: both({ kinds: ["cancelled"], effects: ["none", "possible"], moves: ["stop"], text: "no" }),
};
export const HTTP_EXPECT = {
  s429ra: W.rate(7000),
  s429: W.rate(),
  s401: W.config,
  s403: W.denied,
  s404: W.notfound,
  s409: W.conflict,
  s422: W.input("due_date must be in the future"),
  s500: W.upfail,
  s503ra: W.wait503(7000),
  refused: W.down,
  reset: W.lost,
  timeout: W.timeout,
  badjson: W.badreply,
  s402: W.pay,
  quota: W.quota,
  gquota: W.rate(),
  ghrate: W.rate(7000),
  throttle400: W.busy,
  s529: W.busy,
  gql200_404: W.notfound,
  gql200_401: W.config,
  slack200_invalid_auth: W.config,
  slack200_missing_scope: W.denied,
  slack200_channel_not_found: W.notfound,
  slack200_name_taken: W.conflict,
  slack200_invalid_arguments: W.input(),
};
