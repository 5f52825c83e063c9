// Finds out why a file of the page could not be loaded: the gateway was upgraded, or the connection failed.
import { isUpgraded } from "./strips.tsx";

/** Listens to files that cannot be loaded. Gives what ends it. */
export function watchUpgrades(): () => void {
  // The event is not cancelled: the code that wanted the file shows the failure.
  const onFailure = () => {
    // The first script names all other files, so that each version has its own. It is gone after an upgrade.
    const script = document.querySelector<HTMLScriptElement>("script[src]");
    if (script === null) return;
    fetch(script.src, { cache: "no-store" }).then(
      (response) => {
        void response.body?.cancel();
        if (response.status === 410) isUpgraded.value = true;
      },
      () => undefined,
    );
  };
  addEventListener("vite:preloadError", onFailure);
  return () => removeEventListener("vite:preloadError", onFailure);
}
