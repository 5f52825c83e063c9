// The ways in which these tools fail, each defined once. The kind says what has to happen next, the text says what is wrong.
// What to do about it is added for the model: do not write it into the text.
import { defineReasons, slot } from "@recourse/faults";

export const orders = defineReasons("orders", {
  not_found: {
    kind: "not_found",
    text: "There is no order {order}.",
    slots: { order: slot.integer },
  },
  already_refunded: {
    kind: "precondition_failed",
    text: "Order {order} has already been refunded.",
    slots: { order: slot.integer },
    details: { recourse: [{ do: "stop" }] },
  },
  refund_declined: {
    kind: "approval_required",
    text: "The user did not approve the refund of order {order}.",
    slots: { order: slot.integer },
    details: { recourse: [{ do: "stop" }] },
  },
});
