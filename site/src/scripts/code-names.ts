// Names the blocks of code that scroll. The highlighter makes each a region without a name, and regions need different names.

function nameBlock(block: Element, place: number): void {
  if (block.getAttribute("role") === "region") block.setAttribute("aria-label", `Code ${place + 1}`);
  else block.removeAttribute("aria-label");
}

for (const [place, block] of document.querySelectorAll(".expressive-code pre").entries()) {
  nameBlock(block, place);
  // A block scrolls or not as the window changes.
  new MutationObserver(() => nameBlock(block, place)).observe(block, { attributeFilter: ["role"] });
}
