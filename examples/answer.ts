import { defineReasons, render, slot, toFault } from "@recourse/faults";

export const gtin = defineReasons("gtin", {
  no_rule: { kind: "not_found", text: "No rule resolves {gtin}.", slots: { gtin: slot.gtin } },
});

/** Whatever a handler throws becomes an answer that says what to do next. */
export async function answer<T>(handler: () => Promise<T>) {
  try {
    return await handler();
  } catch (thrown) {
    const fault = toFault(thrown);
    const text = render(fault, { for: "model" });
    return { isError: true, content: [{ type: "text" as const, text }], _meta: { "recourse/fault": fault } };
  }
}
