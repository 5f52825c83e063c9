import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What was loaded before, by what loads it. */
const loaded = new Map<unknown, unknown>();

/** Loads a component. Once it is there, it is there at once. */
export async function loadOnce<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  const component = await load();
  loaded.set(load, component);
  return component;
}

/** A component that is loaded when it is needed: itself, `undefined` while it is not there, or the way to try again. */
export function useOnDemand<P>(load: () => Promise<ComponentType<P>>): {
  readonly component?: ComponentType<P>;
  readonly retry?: () => void;
} {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(-1);
  const [, show] = useState<unknown>();
  const component = loaded.get(load) as ComponentType<P> | undefined;
  useEffect(() => {
    if (component !== undefined) return undefined;
    let isOver = false;
    loadOnce(load).then(
      (value) => !isOver && show(() => value),
      () => !isOver && setFailed(tries),
    );
    return () => {
      isOver = true;
    };
  }, [load, tries]);
  if (component !== undefined) return { component };
  return failed === tries ? { retry: () => setTries(tries + 1) } : {};
}

/** Shows a component that is loaded when it is needed; nothing until it is there. */
export function OnDemand<P extends object>({
  load,
  props,
}: {
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
}) {
  const { component: Loaded } = useOnDemand(load);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
