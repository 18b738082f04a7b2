import { REFUSED, type Issues } from './issues.ts';

/** A name that becomes a prototype in careless hands; no object may have it, whatever else it may have. */
const HOSTILE = '__proto__';

/** The value, if nothing in it is hostile or too deep. */
export function harmless(value: unknown, issues: Issues): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (issues.isTooDeep()) return REFUSED;
  const before = issues.count;
  for (const [name, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (isHostile(name, issues)) continue;
    issues.enter(name);
    harmless(part, issues);
    issues.leave();
  }
  return issues.count === before ? value : REFUSED;
}

/** Whether a name is one that no object may have; that is an issue. */
export function isHostile(name: string | number, issues: Issues): boolean {
  if (name !== HOSTILE) return false;
  issues.addAt(name, 'is not allowed as a name');
  return true;
}
