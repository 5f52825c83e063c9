import type * as sampling from "../../reasons/library/sampling.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `sampling`. */
export const samplingDocs = {
  failed: {
    title: "Sampling failed",
    causes: [
      "The model that was asked is not available.",
      "The provider of the model refused the request or its limit is reached.",
      "The user did not allow the request to the model.",
    ],
    remedies: [
      "The operator of the host looks at the provider of the model.",
      "Ask again later or with another model where repeating does no harm.",
      "Authors of servers have a way to go on without sampling.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32046" }],
  },
} as const satisfies Record<keyof typeof sampling, ReasonDoc>;
