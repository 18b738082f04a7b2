import type { DiffLine } from './parse-diff.ts';

/** Returns the start and the end of the part of `text` that differs from `other`. Neither position is inside a surrogate pair. */
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

/**
 * Pairs removed with added lines in each block of changes with as many added as removed lines. Returns, for each paired line, the
 * text of the line that it replaces or that replaces it.
 */
export function findCounterparts(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, string> {
  const found = new Map<DiffLine, string>();
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  for (const line of [...lines, undefined]) {
    if (line?.kind === 'removed') removed.push(line);
    else if (line?.kind === 'added') added.push(line);
    else {
      if (removed.length === added.length) pair(removed, added, found);
      [removed, added] = [[], []];
    }
  }
  return found;
}

function pair(removed: readonly DiffLine[], added: readonly DiffLine[], found: Map<DiffLine, string>): void {
  for (const [index, old] of removed.entries()) {
    const fresh = added[index];
    if (fresh !== undefined) found.set(old, fresh.text).set(fresh, old.text);
  }
}
