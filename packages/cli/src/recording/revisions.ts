/** The newest revision of each era of the protocol. A probe speaks both, and a report names them so. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** An era, named by its newest revision: with a handshake, or without. */
export type Revision = (typeof REVISIONS)[number];
