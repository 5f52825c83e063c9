import { describe, expect, it } from "vitest";
import { KINDS } from "../fault/kinds.ts";
import { LIBRARY_REASONS, type LibraryReason } from "../reasons/library/by-id.ts";
import { saysDuration, saysWhatToDo } from "./next-move.ts";

describe("a message that says what to do", () => {
  it.each([
    "No channel general. Call list_channels first.",
    'No channel "general". Call "list_channels" first.',
    "No channel general; call list_channels() to see them all.",
    "No such order. Call search first.",
    "The cart is empty, so add an item first.",
    "Use ISO dates.",
    "The date lies in the past. Use a later one.",
    "The bank is closed. Try again tomorrow.",
    "Ask Kim for access.",
    "The key is old. Please sign in again.",
    "Too many searches. Wait before the next one.",
    "It is unknown: check the spelling.",
    "To see all channels, use list_channels.",
    "If the order is new, call get_order again.",
    "The cart is closed. You must call open_cart first.",
    "The order is paid. Do not pay it again.",
    "The id is odd – pass the one of list_orders.",
    "First, call open_cart.",
    "Contact support.",
    "Retry later.",
    "Shorten it to 80 characters.",
  ])("%s", (message) => {
    expect(saysWhatToDo(message)).toBe(true);
  });

  it.each([
    "There is no order 7.",
    'Call "c-9" has ended.',
    "Call 9 has ended.",
    "Call center 3 is closed.",
    "Check digit is wrong.",
    "Check 42 bounced.",
    "The export failed. Use of it is limited.",
    "Sign in failed.",
    "Search for orders failed.",
    'Contact "c-1" does not exist.',
    "List is empty.",
    "Open orders cannot be cancelled.",
    "Update to version 3 failed.",
    "The call may be repeated.",
    "Order 7 was shipped.",
    "The user may call list_orders.",
    'The arguments are wrong: see "quantity" ("a positive number").',
    "",
  ])("not this one: %s", (message) => {
    expect(saysWhatToDo(message)).toBe(false);
  });

  it("is hardly any of our own: they are followed by a move", () => {
    const reasons = Object.values(LIBRARY_REASONS).flatMap((group) => Object.values<LibraryReason>(group));
    const fallbacks = Object.values(KINDS).map(({ fallbackMessage }) => fallbackMessage);
    const found = [...reasons.map((reason) => reason.fault().message), ...fallbacks].filter(saysWhatToDo);
    expect(found).toEqual(["The result is too large; ask for less, or page by page."]);
  });

  it("is found in linear time", () => {
    const started = performance.now();
    for (const part of ["If ", "a, ", "you can ", '"', "call x", ". ", "To a "]) saysWhatToDo(part.repeat(2_000));
    // An expression that backtracks takes minutes, and this one milliseconds.
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

it.each([
  ["Come back in 30 seconds.", "30 seconds", true],
  ["Come back in 30s.", "30 seconds", true],
  ["Come back in 130 seconds.", "30 seconds", false],
  ["There are 30 orders.", "30 seconds", false],
  ["Come back in 2.1 minutes.", "2.1 minutes", true],
  ["Come back in 2 minutes.", "2.1 minutes", false],
  ["Come back in a moment.", "1 day", false],
])("%s says %s: %s", (message, duration, isSaid) => {
  expect(saysDuration(message, duration)).toBe(isSaid);
});
