import {
  busy,
  conflict,
  internal,
  misconfigured,
  overloaded,
  timeout,
  unavailable,
  upstream_failed,
} from "../library/core.ts";
import { peekString } from "./peek.ts";
import { type Build, plain, type Recogniser } from "./recogniser.ts";

/** States that mean something other than their class. */
const STATES: Readonly<Record<string, Build>> = {
  "23503": plain(conflict),
  "23505": plain(conflict),
  "23P01": plain(conflict),
  "25006": plain(unavailable),
  "25P03": plain(timeout),
  "25P04": plain(timeout),
  "40001": plain(busy),
  "40P01": plain(busy),
  "42501": plain(misconfigured),
  "53100": plain(misconfigured),
  "55006": plain(busy),
  "55P03": plain(busy),
  "57014": plain(timeout),
};

/** The classes of PostgreSQL states: the first two characters. */
const STATE_CLASSES: Readonly<Record<string, Build>> = {
  "08": plain(unavailable),
  "28": plain(misconfigured),
  "3D": plain(misconfigured),
  "40": plain(busy),
  "53": plain(overloaded),
  "57": plain(unavailable),
  "58": plain(upstream_failed),
  F0: plain(misconfigured),
  XX: plain(upstream_failed),
};

const STATE = /^[0-9A-Z]{5}$/;

/** Errors of a PostgreSQL server: drivers pass its state on as `code`, with its severity beside it. */
export const recognisePostgres: Recogniser = (value) => {
  const state = peekString(value, "code");
  if (state === undefined || !STATE.test(state) || peekString(value, "severity") === undefined) return undefined;
  // Everything else is a statement that should never have been sent: a bug here.
  return STATES[state] ?? STATE_CLASSES[state.slice(0, 2)] ?? plain(internal);
};
