import type { Fault } from "@recourse/core";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "@recourse/core/dialects";
import { tool } from "@recourse/core/reasons";
import { ask, call, GOOD } from "../shop.ts";
import { group } from "../situation.ts";

const IN_MCP = { mcp, closient, onx, qaqnuz, platica } as unknown as Readonly<Record<string, Dialect<unknown>>>;

const WRONG = { ...GOOD, quantity: "two", size: "huge" };

interface ErlmcpError extends Error {
  readonly data: { readonly details: string };
}

const issues = [
  { pointer: "/quantity", rule: "type", expected: "an integer" },
  { pointer: "/size", rule: "choice", expected: "one of small, medium, large" },
] as const;
const refused: Fault = tool.invalid_arguments.fault({ tool: "create_order" }, { issues });

export const DIALECTS = group("dialects", [
  ...Object.entries(IN_MCP).map(([name, dialect]) => ({
    id: name,
    what: `two wrong arguments, written in \`${name}\``,
    run: () => call("create_order", WRONG, { options: { dialect } }),
  })),
  {
    id: "erlmcp",
    what: "two wrong arguments, written in `erlmcp`: the fixed message, and the member `details`",
    run: () => {
      const options = { dialect: erlmcp as unknown as Dialect<unknown> };
      return ask({ options }, (client) =>
        client.callTool({ name: "create_order", arguments: WRONG }).catch((error: ErlmcpError) => {
          throw new Error(`${error.message} (${error.data.details})`);
        }),
      );
    },
  },
  {
    id: "http",
    what: "two wrong arguments, written in `http`: the member `detail`",
    run: async () => String(http.encode(refused).body["detail"]),
  },
]);
