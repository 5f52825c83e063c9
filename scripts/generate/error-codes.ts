// What the codes of databases, systems and protocols mean, as data for implementations in other languages.
import { SYSTEM_CODES } from "../../packages/core/src/errors/system-codes.ts";
import { GOOGLE_STATUSES } from "../../packages/core/src/reasons/http/body.ts";
import { readOpenedReply } from "../../packages/core/src/reasons/http/read-reply.ts";
import { openHttpReply } from "../../packages/core/src/reasons/http/reply.ts";
import { SYSTEM_REASONS } from "../../packages/core/src/reasons/thrown/accidents.ts";
import { type CodeTable, LIBRARY_CODES } from "../../packages/core/src/reasons/thrown/codes.ts";

/** The reason of each code, or the HTTP status of a code of RPC. */
type Meanings = Readonly<Record<string, string>>;

/** What the codes of each system mean; then HTTP statuses, codes of RPC, sockets, and the codes that come before sending. */
export function errorCodes(): Readonly<Record<string, Meanings>> {
  const systems = Object.entries<CodeTable>(LIBRARY_CODES).map(
    ([system, table]) => [system, reasonByCode(table)] as const,
  );
  const sockets = Object.entries(SYSTEM_CODES).filter(([code]) => /^E[A-Z_]+$/.test(code) && !code.startsWith("ERR_"));
  return {
    ...Object.fromEntries(systems),
    status: Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => 400 + index).map((status) => [status, statusReason(status)]),
    ),
    rpc: Object.fromEntries(Object.entries(GOOGLE_STATUSES).map(([name, status]) => [name, String(status)])),
    socket: Object.fromEntries(
      sockets.flatMap(([code, { failure }]) => {
        const reason = SYSTEM_REASONS[failure]?.id;
        return reason === undefined ? [] : [[code, reason]];
      }),
    ),
    unsent: Object.fromEntries(sockets.filter(([, { unsent }]) => unsent).map(([code]) => [code, "none"])),
  };
}

/** The reason of a reply with nothing but a status, to a request with the credential of this server. */
function statusReason(status: number): string {
  const opened = openHttpReply({ status }, { credential: "own" });
  return (opened && readOpenedReply(opened)?.reason) ?? "rest/refused";
}

function reasonByCode(table: CodeTable): Meanings {
  return Object.fromEntries(
    Object.entries(table).flatMap(([reason, codes]) => codes.map((code) => [String(code), reason] as const)),
  );
}
