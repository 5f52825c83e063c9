import "../../playground/decode.css";
import { Decoder } from "../../playground/decoder.tsx";

/** Reads a reply of an upstream as the gateway would, in the page. */
export function DecodePage() {
  return (
    <div class="page decode">
      <h1 class="title">Decode</h1>
      <p class="sub">Paste what an upstream answered, and read it as the gateway would.</p>
      <Decoder />
    </div>
  );
}
