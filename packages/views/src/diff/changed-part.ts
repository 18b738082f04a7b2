/** Returns the positions between which a text differs from another one. They are never inside a surrogate pair. */
export function findChangedPart(text: string, other: string): { readonly start: number; readonly end: number } {
  const [own, others] = [Array.from(text), Array.from(other)];
  const most = Math.min(own.length, others.length);
  let before = 0;
  while (before < most && own[before] === others[before]) before += 1;
  let after = 0;
  while (after < most - before && own.at(-1 - after) === others.at(-1 - after)) after += 1;
  const start = own.slice(0, before).join('').length;
  return { start, end: text.length - own.slice(own.length - after).join('').length };
}
