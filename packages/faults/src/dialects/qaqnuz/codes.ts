import type { DialectCodes } from "../codes.ts";
import { QAQNUZ_CLASSES, qaqnuzClassFor } from "./table.ts";

/** qaqnuz has five classes and no codes: its clients decide by nothing else, so there is nothing to add. */
export const qaqnuzCodes: DialectCodes = {
  codeOf: qaqnuzClassFor,
  published: () => Object.fromEntries(Object.entries(QAQNUZ_CLASSES).map(([name, { reason }]) => [name, reason.id])),
};
