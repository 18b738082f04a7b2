import { freeze } from '../schema/json-schema.ts';
import { wireName, type Member } from './member.ts';
import type { Described } from './primitives.ts';

/** What every primitive shows of itself; its name is the method's in snake case unless given. */
export function described(member: Member): Described {
  const { title, description, icons, _meta } = member.options;
  return {
    name: wireName(member),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons: frozenCopy(icons) }),
    ...(_meta !== undefined && { _meta: frozenCopy(_meta) }),
  };
}

/** A frozen copy of plain values that somebody else wrote and may go on using. */
export function frozenCopy<Value>(value: Value): Value {
  try {
    return freeze(structuredClone(value));
  } catch {
    // What cannot be copied is no plain value, and was reported as such.
    return value;
  }
}
