import type { Fault } from "@recourse/core";
import type { RequestHead } from "../call/head.ts";
import type { OpenConsole } from "../console/open-console.ts";
import type { OperatorLine } from "../console/sessions.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import type { AdminParts } from "./parts.ts";
import type { AdminRoute, Operator } from "./route.ts";

/** Facts about a request that the app gets beside the request itself. */
export interface AdminBindings {
  readonly origin: HttpOrigin;
  readonly parts: AdminParts;
  readonly checkSource: (head: RequestHead) => Fault | undefined;
  readonly checkOperator: (head: RequestHead) => Operator | { readonly refused: Fault };
  /** Finds the operator of a key that was sent from an address. */
  readonly checkKey: (key: string, address: string) => OperatorLine | { readonly refused: Fault };
  /** Undefined if it is off. */
  readonly console: OpenConsole | undefined;
  /** Clock in ms. */
  readonly monotonic: () => number;
}

/** What the handlers of the app know about a request. */
export interface AdminEnv {
  Bindings: AdminBindings;
  Variables: { startedMs: number; operator: Operator | undefined; route: AdminRoute | undefined };
}
