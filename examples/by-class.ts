import { classOf, type Fault } from "@recourse/faults";

/** Who takes over when a call has failed for good. */
export function handOver(fault: Fault): "model" | "user" | "later" | "operator" {
  switch (classOf(fault)) {
    case "validation":
      return "model"; // It reads the issues and calls again with other arguments.
    case "permission":
      return "user"; // Nobody else can sign in, grant or approve.
    case "retryable":
      return "later"; // The client has waited and repeated already, as far as that was safe.
    case "dependency":
      return "operator"; // An outage, once repeating has not helped.
    case "terminal":
      return "model"; // Another way, or the end: never the same call again.
  }
}
