import type { Member } from './members.ts';
import { snakeCase } from './names.ts';
import type { Described } from './primitives.ts';

/** What every primitive shows of itself; its name is the method's in snake case unless given. */
export function described({ name, options }: Member): Described {
  return {
    name: options.name ?? snakeCase(name),
    ...(options.title !== undefined && { title: options.title }),
    ...(options.description !== undefined && { description: options.description }),
    ...(options.icons !== undefined && { icons: options.icons }),
  };
}
