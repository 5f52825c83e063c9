/** The revisions of the protocol that this dialect writes, oldest first. */
export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
/** One revision of the protocol. */
export type Revision = (typeof REVISIONS)[number];

/** What is written when nobody says which revision was negotiated. */
export const LATEST: Revision = "2026-07-28";

const EVERYWHERE = [-32700, -32600, -32601, -32602, -32603];

/** The JSON-RPC codes that each revision lets a server emit; all others are somebody else's. */
export const LEGAL_CODES: Readonly<Record<Revision, readonly number[]>> = {
  "2025-06-18": [...EVERYWHERE, -32002],
  "2025-11-25": [...EVERYWHERE, -32002, -32042],
  "2026-07-28": [...EVERYWHERE, -32020, -32021, -32022],
};

/** HTTP statuses that the revision fixes for a code; every other error travels on 200. */
export const FIXED_STATUS: Readonly<Record<Revision, Readonly<Record<number, number>>>> = {
  "2025-06-18": {},
  "2025-11-25": {},
  "2026-07-28": { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 },
};
