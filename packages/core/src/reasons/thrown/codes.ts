// What the codes of databases, programs and systems mean. Other languages share these tables: the generator writes them to
// python/src/recourse_faults/codes.json.

import * as core from "../library/core.ts";
import { response_too_large } from "../library/rest.ts";
import type { TableReason } from "../types.ts";

const CODE_REASONS = {
  "core/busy": core.busy,
  "core/cancelled": core.cancelled,
  "core/conflict": core.conflict,
  "core/internal": core.internal,
  "core/misconfigured": core.misconfigured,
  "core/not_found": core.not_found,
  "core/overloaded": core.overloaded,
  "core/precondition_failed": core.precondition_failed,
  "core/timeout": core.timeout,
  "core/unavailable": core.unavailable,
  "core/upstream_failed": core.upstream_failed,
  "core/validation_failed": core.validation_failed,
  "rest/response_too_large": response_too_large,
} as const satisfies Readonly<Record<string, TableReason>>;

type CodeReason = keyof typeof CODE_REASONS;

export type CodeTable = { readonly [R in CodeReason]?: readonly (string | number)[] };

/** The codes of each system. A code that is not here means nothing by itself. */
export const LIBRARY_CODES = {
  /** SQLSTATE of PostgreSQL: constraints, locks and values. Any other code means what its class means. */
  sqlstate: {
    "core/conflict": ["23503", "23505", "23P01"],
    "core/validation_failed": ["23502", "23514"],
    "core/busy": ["40001", "40P01", "55006", "55P03"],
    "core/timeout": ["25P03", "25P04", "57014"],
    "core/unavailable": ["25006"],
    "core/misconfigured": ["42501", "53100"],
    // The statement divides, not the caller.
    "core/internal": ["22012"],
  },
  /** The first two characters of SQLSTATE. */
  sqlstateClass: {
    "core/validation_failed": ["22"],
    "core/unavailable": ["08", "57"],
    "core/misconfigured": ["28", "3D", "F0"],
    "core/busy": ["40"],
    "core/overloaded": ["53"],
    "core/upstream_failed": ["58", "XX"],
  },
  /** Numbers of MySQL and MariaDB. */
  mysql: {
    "core/conflict": [1022, 1062, 1169, 1216, 1217, 1451, 1452, 1557, 1586, 1761, 1762],
    "core/validation_failed": [1048, 1138, 1264, 1265, 1292, 1364, 1366, 1406, 1690, 3819, 3988, 4025],
    "core/busy": [1205, 1213, 1412, 3572],
    "core/overloaded": [1040, 1041, 1203, 1226, 1461],
    "core/timeout": [1907, 1969, 3024],
    "core/unavailable": [1053, 1077, 1152, 1153, 1158, 1159, 1160, 1161, 1290, 1317, 1792, 1836, 1927, 2006, 2013],
    "core/misconfigured": [
      1021, 1044, 1045, 1049, 1114, 1130, 1142, 1143, 1227, 1251, 1370, 1410, 1524, 1698, 1820, 2054,
    ],
    "core/upstream_failed": [1030, 1034, 1194, 1195],
  },
  /** Names of SQLite. A longer name means what its beginning means, unless it is here itself. */
  sqlite: {
    "core/conflict": ["SQLITE_CONSTRAINT"],
    "core/validation_failed": [
      "SQLITE_CONSTRAINT_CHECK",
      "SQLITE_CONSTRAINT_DATATYPE",
      "SQLITE_CONSTRAINT_NOTNULL",
      "SQLITE_MISMATCH",
      "SQLITE_TOOBIG",
    ],
    "core/busy": ["SQLITE_BUSY", "SQLITE_LOCKED"],
    "core/timeout": ["SQLITE_INTERRUPT"],
    "core/misconfigured": [
      "SQLITE_AUTH",
      "SQLITE_CANTOPEN",
      "SQLITE_CORRUPT",
      "SQLITE_FULL",
      "SQLITE_IOERR",
      "SQLITE_NOTADB",
      "SQLITE_PERM",
      "SQLITE_READONLY",
    ],
  },
  /** Numbers of SQLite. The low byte of a longer number is its primary code. */
  sqliteNumber: {
    "core/conflict": [19],
    "core/validation_failed": [18, 20, 275, 1_299, 3_091],
    "core/busy": [5, 6],
    "core/timeout": [9],
    "core/misconfigured": [3, 8, 10, 11, 13, 14, 23, 26],
  },
  prisma: {
    "core/conflict": ["P2002", "P2003", "P2004", "P2014"],
    "core/not_found": ["P2001", "P2015", "P2018", "P2025"],
    "core/validation_failed": "P2000 P2005 P2006 P2007 P2011 P2012 P2013 P2019 P2020 P2033".split(" "),
    "core/busy": ["P2034"],
    "core/overloaded": ["P2024", "P2037"],
    "core/timeout": ["P1002", "P1008", "P2028"],
    "core/unavailable": ["P1001", "P1017"],
    "core/misconfigured": ["P1000", "P1003", "P1010", "P1011", "P1013"],
  },
  mongo: {
    "core/conflict": [11_000, 11_001, 12_582],
    "core/validation_failed": [2, 14, 121, 10_334],
    "core/busy": [24, 46, 112, 117, 251],
    "core/timeout": [50, 89, 262],
    "core/unavailable": [6, 7, 91, 189, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436],
    "core/misconfigured": [13, 18, 8_000],
  },
  /** The first word of an error that Redis replies with. */
  redis: {
    "core/misconfigured": ["NOAUTH", "WRONGPASS", "NOPERM", "DENIED"],
    "core/unavailable": ["READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS", "MISCONF", "UNBLOCKED"],
    "core/overloaded": ["OOM", "BUSY", "TRYAGAIN"],
    "core/conflict": ["BUSYKEY", "BUSYGROUP"],
    "core/busy": ["EXECABORT"],
  },
  /** PostgREST, and with it Supabase. A longer code means what its beginning means. */
  postgrest: {
    "core/not_found": ["PGRST116"],
    "core/misconfigured": ["PGRST30"],
    "core/unavailable": ["PGRST00"],
    "core/validation_failed": ["PGRST1"],
  },
  /** A file that the caller named. */
  file: {
    "core/not_found": ["ENOENT"],
    "core/conflict": ["EEXIST"],
    "core/validation_failed": ["ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"],
    "core/precondition_failed": ["ENOTEMPTY", "EXDEV"],
    "core/misconfigured": ["EACCES", "EPERM", "EROFS"],
    "core/busy": ["EBUSY", "ETXTBSY"],
  },
} as const satisfies Readonly<Record<string, CodeTable>>;

const reasons = new Map<CodeTable, ReadonlyMap<string, TableReason>>();

/** The reason of a code in one of the tables; undefined for any other value. */
export function reasonOfCode(
  system: keyof typeof LIBRARY_CODES,
  code: string | number | undefined,
): TableReason | undefined {
  const table = LIBRARY_CODES[system];
  const known = reasons.get(table) ?? indexTable(table);
  reasons.set(table, known);
  return code === undefined ? undefined : known.get(String(code));
}

function indexTable(table: CodeTable): ReadonlyMap<string, TableReason> {
  return new Map(
    (Object.entries(table) as [CodeReason, readonly (string | number)[]][]).flatMap(([reason, codes]) =>
      codes.map((code) => [String(code), CODE_REASONS[reason]] as const),
    ),
  );
}

export function reasonOfBeginning(system: keyof typeof LIBRARY_CODES, code: string): TableReason | undefined {
  for (let end = Math.min(code.length, 64); end > 0; end--) {
    const reason = reasonOfCode(system, code.slice(0, end));
    if (reason !== undefined) return reason;
  }
  return undefined;
}
