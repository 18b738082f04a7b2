import type { Plan, PropertyPlan } from './plan.ts';

/** Copies what a plan declares out of a value, and nothing else. */
export function project(plan: Plan, value: object): Record<string, unknown> {
  const source = new Map<string, unknown>(Object.entries(value));
  const kept: Record<string, unknown> = {};
  for (const property of plan.properties.values()) {
    const given = source.get(property.name);
    if (given !== undefined) kept[property.name] = projectValue(property, given);
  }
  return kept;
}

function projectValue({ nested }: PropertyPlan, value: unknown): unknown {
  if (nested === undefined || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map((item: unknown) => projectItem(nested, item)) : project(nested, value);
}

function projectItem(plan: Plan, item: unknown): unknown {
  return typeof item === 'object' && item !== null ? project(plan, item) : item;
}
