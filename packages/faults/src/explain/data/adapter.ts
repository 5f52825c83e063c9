import type * as adapter from "../../reasons/library/adapter.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `adapter`. */
export const adapterDocs = {
  failed: {
    title: "Backend failed",
    causes: [
      "The backend refused or failed the operation, for example because of the state of an order.",
      "The adapter could not read what the backend answered.",
      "Adapter and backend are of versions that do not fit.",
    ],
    remedies: [
      "The operator looks at the backend; its own identifier is in `originalError`, the rest in the incident.",
      "Repeat only if the answer says that it may be repeated, and only where that does no harm.",
      "Authors of adapters declare their identifiers, such as `ORDER_NOT_FOUND`, so that they can be shown.",
    ],
    severity: "error",
    codes: [{ system: "onx", code: "4001", note: "May be retried if its `retryable` says so." }],
  },
  unavailable: {
    title: "Backend not available",
    causes: [
      "The backend is down, restarting or in maintenance.",
      "The network to the backend is interrupted.",
      "The backend refuses new connections.",
    ],
    remedies: [
      "The operator brings the backend back or waits for its provider.",
      "Repeat with back-off and jitter where repeating does no harm; otherwise look at the state first.",
      "Tell the user if it lasts longer than a few attempts.",
    ],
    severity: "error",
    codes: [
      { system: "onx", code: "4002" },
      { system: "platica", code: "503" },
    ],
  },
  not_implemented: {
    title: "Not offered by the backend",
    causes: [
      "The adapter in use does not implement this tool.",
      "The backend has no such operation.",
      "The operation needs another edition of the backend.",
    ],
    remedies: [
      "Choose another tool; with this adapter the same call always fails.",
      "Authors of adapters leave tools out of the list that they do not implement.",
      "The operator switches to an adapter that has the operation.",
    ],
    severity: "warning",
    codes: [{ system: "onx", code: "5001" }],
  },
} as const satisfies Record<keyof typeof adapter, ReasonDoc>;
