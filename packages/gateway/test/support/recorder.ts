/** An observer that remembers what was switched and logged. */
export function recorder() {
  const switches: string[] = [];
  const lines: string[] = [];
  return {
    switches,
    lines,
    switched: (control: string, state: string) => void switches.push(`${control} ${state}`),
    log: (_level: string, message: string, facts?: unknown) => void lines.push(`${message} ${JSON.stringify(facts)}`),
  };
}
