import { sdkHttpFailure } from "../sdk/errors.ts";
import type { ExchangeRecord } from "./transport/types.ts";

/** A failed HTTP answer, as far as it is known. */
export interface FailedHttpAnswer {
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined if it is not known. */
  readonly body: string | undefined;
}

/** The failed HTTP answer behind an error: as the observer recorded it, or as much as the SDK's error says. */
export function findHttpFailure(error: unknown, record: ExchangeRecord | undefined): FailedHttpAnswer | undefined {
  if (record?.status !== undefined && record.status >= 400) {
    return { status: record.status, headers: record.headers ?? {}, body: record.body };
  }
  const { status, body } = sdkHttpFailure(error) ?? {};
  return status !== undefined && status >= 400 && status <= 599 ? { status, headers: {}, body } : undefined;
}
