// What the codes of databases, systems and protocols mean, as data for implementations in other languages.
import { SYSTEM_CODES } from "../../packages/faults/src/errors/system-codes.ts";
import { GOOGLE_STATUSES } from "../../packages/faults/src/reasons/http/body.ts";
import { readOpenedReply } from "../../packages/faults/src/reasons/http/read-reply.ts";
import { openHttpReply } from "../../packages/faults/src/reasons/http/reply.ts";
import { SYSTEM_REASONS } from "../../packages/faults/src/reasons/thrown/accidents.ts";
import { LIBRARY_CODES } from "../../packages/faults/src/reasons/thrown/codes.ts";

type Codes = Readonly<Record<string, readonly (string | number)[]>>;

/** For each system, the codes by the reason that they mean; then the HTTP statuses, the codes of RPC and those of sockets. */
export function errorCodes(): Readonly<Record<string, Codes>> {
  const rpc = Object.entries(GOOGLE_STATUSES).map(([name, status]) => [name, status] as const);
  return {
    ...LIBRARY_CODES,
    status: byReason(
      Array.from({ length: 200 }, (_, index) => 400 + index).map((status) => [status, statusReason(status)]),
    ),
    rpc: grouped(rpc.map(([name, status]) => [name, String(status)])),
    socket: byReason(
      Object.entries(SYSTEM_CODES)
        .filter(([code]) => /^E[A-Z_]+$/.test(code) && !code.startsWith("ERR_"))
        .map(([code, { failure }]) => [code, SYSTEM_REASONS[failure]?.id]),
    ),
    unsent: { none: Object.entries(SYSTEM_CODES).flatMap(([code, { unsent }]) => (unsent ? [code] : [])) },
  };
}

/** The reason of a reply with nothing but a status, to a request with the credential of this server. */
function statusReason(status: number): string | undefined {
  const opened = openHttpReply({ status }, { credential: "own" });
  return opened && readOpenedReply(opened)?.reason;
}

function byReason(entries: readonly (readonly [code: string | number, reason: string | undefined])[]): Codes {
  return grouped(entries.flatMap(([code, reason]) => (reason === undefined ? [] : [[code, reason] as const])));
}

function grouped(entries: readonly (readonly [code: string | number, key: string])[]): Codes {
  const found: Record<string, (string | number)[]> = {};
  for (const [code, key] of entries) found[key] = [...(found[key] ?? []), code];
  return found;
}
