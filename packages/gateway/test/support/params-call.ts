import { ACME } from "../idempotency/support/replicas.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "./post.ts";

/** A call of which a test writes each member of the params. */
export interface ParamsCall {
  /** @default the tenant acme */
  readonly credential?: string;
  /** @default "tools/call" */
  readonly method?: string;
  /** The name or URI, for the header. @default "up__pay" */
  readonly target?: string;
  /** Members of the params as JSON, by name. @default the name of the tool and empty arguments */
  readonly params?: Readonly<Record<string, string>>;
  /** Members of `_meta` after those that the protocol asks for, as JSON: `"a":1`. */
  readonly meta?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls as a client of the newer era. */
export function callWithParams(url: URL, call: ParamsCall = {}): Promise<RawAnswer> {
  const { credential = ACME, method = "tools/call", target = "up__pay", meta } = call;
  const params = call.params ?? { name: JSON.stringify(target), arguments: "{}" };
  const all = { ...params, _meta: `{${MODERN_META}${meta === undefined ? "" : `,${meta}`}}` };
  const members = Object.entries(all).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${members.join()}}}`;
  return post(url, body, {
    ...modernHeaders(method, target),
    authorization: `Bearer ${credential}`,
    ...call.headers,
  });
}

/** The params that an upstream received. */
export function paramsIn(text: string | undefined): Record<string, unknown> {
  return (JSON.parse(text ?? "{}") as { readonly params: Record<string, unknown> }).params;
}

/** The `requestState` of an answer that asks for input. */
export function stateIn(answer: RawAnswer): string {
  const { resultType, requestState } = answer.json().result as { resultType: string; requestState?: string };
  if (resultType !== "input_required" || requestState === undefined) throw new Error(`no round: ${answer.text}`);
  return requestState;
}
