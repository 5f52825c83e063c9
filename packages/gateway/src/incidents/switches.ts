import { type Fault, formatId, stampFault } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import { randomBytes } from "@recourse/core/wire";
import type { ControlName, Observer } from "../call/observer.ts";
import type { GatewayIncident } from "./incidents.ts";

export interface SwitchOptions {
  /** The public name of the gateway. */
  readonly name: string;
  readonly now: () => number;
}

/** The cause of the incident of a control that went away. Its name tells controls apart. */
class ControlAway extends Error {
  constructor(control: ControlName, answer: string) {
    super(`${control} away: ${answer}`);
    this.name = `${control} away`;
  }
}

/** What a switch is about, if it is not the gateway as a whole. */
type SwitchFacts = Pick<GatewayIncident, "cause" | "tool"> & { readonly upstream?: string | undefined };

/**
 * Makes one incident of each switch: a control that goes away, a breaker that opens. The calls that are refused from then on
 * are no incidents of their own, so nobody fills the store by repeating them.
 */
export class Switches {
  readonly #options: SwitchOptions;
  readonly #away = new Set<ControlName>();
  /** Those from before there was a place for them. */
  readonly #early: GatewayIncident[] = [];
  #sink: ((incident: GatewayIncident) => void) | undefined = undefined;

  constructor(options: SwitchOptions) {
    this.#options = options;
  }

  /** Where the incidents go from now on. */
  reportTo(sink: (incident: GatewayIncident) => void): void {
    this.#sink = sink;
    for (const incident of this.#early.splice(0)) sink(incident);
  }

  /** The observer, which from now on is watched for controls that go away. */
  watch(observer: Observer): Observer {
    return {
      ...observer,
      switched: (control, state, answer) => {
        observer.switched(control, state, answer);
        this.#switched(control, state, answer);
      },
    };
  }

  /** The breaker of an upstream, or of one of its tools, has opened. */
  opened({ upstream, tool }: { readonly upstream: string; readonly tool?: string | undefined }): void {
    const fault = transport.breaker_open.fault(tool === undefined ? {} : { tool });
    this.#report(fault, { upstream, ...(tool !== undefined && { tool }) });
  }

  #switched(control: ControlName, state: "away" | "back", answer: string): void {
    if (state === "back") {
      this.#away.delete(control);
      return;
    }
    // Several parts can use one control, and each finds out for itself.
    if (this.#away.has(control)) return;
    this.#away.add(control);
    const [, upstream] = /^(?:upstream|lists of|credential of) (.*)$/s.exec(control) ?? [];
    this.#report(core.unavailable.fault({}, { effect: "none" }), { upstream, cause: new ControlAway(control, answer) });
  }

  #report(fault: Fault, { upstream, ...about }: SwitchFacts): void {
    const { name, now } = this.#options;
    const nowMs = now();
    const at = new Date(nowMs).toISOString();
    const stamps = { incident: formatId(nowMs, randomBytes()), at, origin: { layer: "gateway", name } } as const;
    const incident: GatewayIncident = {
      fault: stampFault(fault, stamps),
      at,
      upstream,
      tenant: undefined,
      caller: undefined,
      sentText: undefined,
      upstreamIncident: undefined,
      ...about,
    };
    if (this.#sink === undefined) this.#early.push(incident);
    else this.#sink(incident);
  }
}
