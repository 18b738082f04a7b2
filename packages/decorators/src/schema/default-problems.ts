import { shorten } from '../text/shorten.ts';
import type { Issue } from './issues.ts';
import type { Plan } from './plan.ts';
import { ValueProjector } from './value-projector.ts';

/** The problems of each checked plan, because many classes may contain the same class. */
const problems = new WeakMap<Plan, readonly string[]>();

/** Finds defaults that the rules of their own property reject. */
export function findDefaultProblems(plan: Plan): readonly string[] {
  const known = problems.get(plan);
  if (known !== undefined) return known;
  const hasDefault = [...plan.properties.values()].some(({ initial }) => initial !== undefined);
  const found = hasDefault ? checkDefaults(plan) : [];
  problems.set(plan, found);
  return found;
}

function checkDefaults(plan: Plan): readonly string[] {
  return readIssues(plan).flatMap(({ path: [name, ...below], message }) => {
    const initial = plan.properties.get(String(name))?.initial;
    // Only an initial value that clients see is a default. Issues of other properties are ignored: clients have to send a
    // required property.
    if (initial === undefined) return [];
    const place = below.length === 0 ? '' : `${below.join('.')} `;
    const value = shorten(JSON.stringify(initial));
    return [`${plan.target.name}.${name}: its default ${value} is not valid: ${place}${message}; change the default or the rule`];
  });
}

function readIssues(plan: Plan): readonly Issue[] {
  const projector = new ValueProjector();
  try {
    projector.project(plan, new plan.target());
    return projector.issues;
  } catch {
    // An error is ignored: a condition or a validator may need properties that have no value yet.
    return [];
  }
}
