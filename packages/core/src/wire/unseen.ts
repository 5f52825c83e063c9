/**
 * Characters that nobody sees: format characters, selectors, fillers, and spaces of other kinds. Two texts that look alike may
 * differ by them, so what a person decides about shows each as an escape.
 */
export const UNSEEN_CHARACTERS: RegExp =
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/gu;
