import { plansBelow, plansIn, type Plan } from './plan.ts';

/** Everything that is wrong with a class and those nested in it: `Class.property: what is wrong and the remedy`. */
export function problemsOf(plan: Plan): readonly string[] {
  const below = [...plansBelow(plan)].filter((nested) => nested !== plan);
  const plans = [plan, ...below];
  return [...plans.flatMap(({ problems }) => problems), ...(plans.some(hasHeader) ? headerProblems(plan) : [])];
}

function hasHeader({ properties }: Plan): boolean {
  return [...properties.values()].some(({ header }) => header !== undefined);
}

/** A header can repeat one value only: of a property that is reached by names alone, and by a name of its own. */
function headerProblems(root: Plan): readonly string[] {
  const problems: string[] = [];
  const reached = reachedByName(root);
  const first = new Map<string, string>();
  for (const plan of [...reached, ...[...plansBelow(root)].filter((nested) => !reached.includes(nested))]) {
    for (const { name, header } of plan.properties.values()) {
      if (header === undefined) continue;
      const place = `${plan.target.name}.${name}`;
      const other = first.get(header.toLowerCase());
      if (!reached.includes(plan) || plansBelow(plan).has(plan))
        problems.push(`${place}: has a header, but is in an array, a map, a union or a recursive class; take it out`);
      else if (other !== undefined) problems.push(`${place}: the header "${header}" is already that of ${other}; rename one`);
      else first.set(header.toLowerCase(), place);
    }
  }
  return problems;
}

/** The plans that are reached through single objects, once for each way to them. */
function reachedByName(plan: Plan): readonly Plan[] {
  if (plansBelow(plan).has(plan)) return [plan];
  const objects = [...plan.properties.values()].flatMap(({ value: { shape } }) =>
    shape.kind === 'object' ? plansIn(shape) : [],
  );
  return [plan, ...objects.flatMap(reachedByName)];
}
