import type { Issues } from './issues.ts';
import { hasType, type JsonType } from './json-schema.ts';
import { findViolation, type PropertyRule } from './property-rule.ts';

/** Whether a value has one of several types. */
export function hasSomeType(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}

/** Whether a value violates a rule; adds an issue if so. */
export function isViolated(rule: PropertyRule, value: unknown, holder: object, issues: Issues): boolean {
  try {
    if (rule.condition?.(holder, value) === false) return false;
    const message = findViolation(rule, value, holder);
    if (message !== undefined) issues.add(message);
    return message !== undefined;
  } catch (error) {
    // The validator may have thrown because it read a property that was rejected.
    if (issues.count === 0) throw error;
    return false;
  }
}
