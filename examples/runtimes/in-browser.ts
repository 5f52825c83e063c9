// What a page imports: the program, and a fault shown in the page.
import { render } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";

export { runProgram } from "./program.ts";

/** Reads a failed reply and shows it to a person. Text of a server is put in as text, never as markup. */
export function show(reply: { readonly status: number; readonly body: unknown }, element: Element): void {
  const fault = http.decode({ ...reply, headers: {} });
  element.textContent = fault === undefined ? "" : render(fault, { for: "person" });
}
