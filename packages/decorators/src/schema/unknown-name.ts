import { findNearestName } from '../text/nearest-name.ts';
import { listPlans, type Plan, type PropertyPlan } from './plan.ts';

/** Maximum number of known names in a message. */
const MAX_NAMED = 40;

/**
 * Returns the message about a property that a class does not have: where the property belongs, which name was probably meant, or
 * which names are known.
 *
 * @param isFirst whether the message is the first about this object; only that message lists the known names
 */
export function describeUnknownName(key: string, { properties }: Plan, isFirst: boolean): string {
  const holder = [...properties.values()].find(({ value }) => listPlans(value.shape).some((below) => below.properties.has(key)));
  if (holder !== undefined) return `is not known; belongs in ${describePlace(holder)}`;
  const near = findNearestName(key, properties.keys());
  if (near !== undefined) return `is not known; did you mean "${near}"?`;
  return isFirst && properties.size > 0
    ? `is not known; the known names are ${listNames([...properties.keys()])}`
    : 'is not known';
}

function describePlace({ name, value }: PropertyPlan): string {
  const isSingle = value.shape.kind === 'object' || value.shape.kind === 'union';
  return isSingle ? `"${name}"` : `an element of "${name}"`;
}

function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
