export function readsLikeText(value: string): boolean {
  return value.split(" ").length > 4;
}
