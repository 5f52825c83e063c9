/**
 * Names a claim: a random number of 53 bits, so that it is never used twice, not even after a key was freed or forgotten. The
 * process that claims knows it before the engine answers, and can give back a claim whose answer was lost.
 */
export function randomFence(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0x1f_ffff) * 2 ** 32 + low;
}
