import type { ConsoleCell } from "../../config/types.ts";
import { ME } from "../overview-schemas.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute, type Operator } from "../route.ts";

export const ME_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/me",
    id: "getMe",
    role: "viewer",
    summary: "Get who you are, and which gateway this is.",
    answer: ME,
    // A route with a role has an operator.
    handle: ({ operator }, parts) => describeOperator(operator as Operator, parts),
  }),
];

/** An operator as the API shows one. */
interface Me extends Operator {
  readonly name: string;
  readonly version: string;
  /** The consoles of other cells. @default there are none */
  readonly cells?: ConsoleCell[];
}

/** An operator as the API shows one, with the name and version of the gateway. */
export function describeOperator(operator: Operator, { config, version }: Pick<AdminParts, "config" | "version">): Me {
  const { name, admin } = config();
  const cells = admin?.console?.cells;
  return { ...operator, name, version, ...(cells && { cells: [...cells] }) };
}
