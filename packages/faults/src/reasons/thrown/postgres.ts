import { peekString } from "../../errors/peek.ts";
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
import { type ErrorMatcher, type FaultBuilder, withoutParams } from "./error-matcher.ts";

/** SQLSTATE codes that mean something other than their class. */
const SQLSTATES: Readonly<Record<string, FaultBuilder>> = {
  "23503": withoutParams(conflict),
  "23505": withoutParams(conflict),
  "23P01": withoutParams(conflict),
  "25006": withoutParams(unavailable),
  "25P03": withoutParams(timeout),
  "25P04": withoutParams(timeout),
  "40001": withoutParams(busy),
  "40P01": withoutParams(busy),
  "42501": withoutParams(misconfigured),
  "53100": withoutParams(misconfigured),
  "55006": withoutParams(busy),
  "55P03": withoutParams(busy),
  "57014": withoutParams(timeout),
};

/** The classes of SQLSTATE codes: their first two characters. */
const SQLSTATE_CLASSES: Readonly<Record<string, FaultBuilder>> = {
  "08": withoutParams(unavailable),
  "28": withoutParams(misconfigured),
  "3D": withoutParams(misconfigured),
  "40": withoutParams(busy),
  "53": withoutParams(overloaded),
  "57": withoutParams(unavailable),
  "58": withoutParams(upstream_failed),
  F0: withoutParams(misconfigured),
  XX: withoutParams(upstream_failed),
};

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Matches errors of a PostgreSQL server. Drivers put the SQLSTATE into `code` and have a `severity` beside it. */
export const matchPostgresError: ErrorMatcher = (error) => {
  const state = peekString(error, "code");
  if (state === undefined || !SQLSTATE.test(state) || peekString(error, "severity") === undefined) return undefined;
  // Any other code means a wrong statement, which is a bug of the server.
  return SQLSTATES[state] ?? SQLSTATE_CLASSES[state.slice(0, 2)] ?? withoutParams(internal);
};
