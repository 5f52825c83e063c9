import { describe, expect, it } from "vitest";
import { recordingObserver } from "../../test/catalog/support/calls.ts";
import type { GatewayIncident } from "./incidents.ts";
import { computeFingerprint } from "./record.ts";
import { Switches } from "./switches.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

function world() {
  const incidents: GatewayIncident[] = [];
  const switches = new Switches({ name: "edge", now: () => NOW });
  const { observer: inner, switches: told } = recordingObserver();
  return { incidents, switches, told, observer: switches.watch(inner) };
}

describe("a control that goes away", () => {
  it("is one incident, also where several parts find out, and another one the next time", () => {
    const { incidents, switches, told, observer } = world();
    switches.reportTo((incident) => incidents.push(incident));
    observer.switched("sessions", "away", "sessions begin new");
    observer.switched("sessions", "away", "sessions begin new");
    expect(incidents).toMatchObject([
      { at: "2026-03-01T12:00:00.000Z", upstream: undefined, cause: { name: "sessions away" } },
    ]);
    expect(incidents[0]?.fault).toMatchObject({
      reason: "core/unavailable",
      effect: "none",
      incident: expect.stringMatching(/^\w{26}$/),
      origin: { layer: "gateway", name: "edge" },
    });
    observer.switched("sessions", "back", "sessions begin new");
    expect(incidents).toHaveLength(1);
    observer.switched("sessions", "away", "sessions begin new");
    expect(incidents).toHaveLength(2);
    expect(told).toHaveLength(4);
  });

  it("is told apart from others, and names its upstream", () => {
    const { incidents, switches, observer } = world();
    switches.reportTo((incident) => incidents.push(incident));
    observer.switched("keys", "away", "others get 503");
    observer.switched("tokens", "away", "others get 503");
    observer.switched("upstream shop", "away", "calls are refused");
    observer.switched("lists of shop", "away", "it contributes nothing");
    expect(new Set(incidents.map(computeFingerprint)).size).toBe(4);
    expect(incidents.map(({ upstream }) => upstream)).toEqual([undefined, undefined, "shop", "shop"]);
  });

  it("is reported later where nobody listens yet", () => {
    const { incidents, switches, observer } = world();
    observer.switched("keys", "away", "others get 503");
    switches.reportTo((incident) => incidents.push(incident));
    expect(incidents).toHaveLength(1);
  });
});

it("a breaker that opens is an incident of its upstream or tool", () => {
  const { incidents, switches } = world();
  switches.reportTo((incident) => incidents.push(incident));
  switches.opened({ upstream: "shop" });
  switches.opened({ upstream: "shop", tool: "pay" });
  expect(incidents).toMatchObject([
    { upstream: "shop", fault: { reason: "transport/breaker_open" } },
    { upstream: "shop", tool: "pay", fault: { reason: "transport/breaker_open" } },
  ]);
});
