/**
 * Returns the JSON of a value that a method returned.
 *
 * @throws TypeError if JSON cannot represent the value or a part of it: the transport could not send it, or the part would be lost
 */
export function toJson(returned: unknown): string {
  const text = stringify(returned);
  if (text === undefined) throw new TypeError('the method returned neither content nor JSON');
  // JSON represents each map, set and promise as {}. So a text without {} has lost none, and the value need not be searched.
  if (text.includes('{}')) refuseLost(returned);
  return text;
}

/** Returns the value unchanged. @throws TypeError as {@link toJson} */
export function asJson<Returned>(returned: Returned): Returned {
  toJson(returned);
  return returned;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    refuseLost(value);
    throw error;
  }
}

type Lost = readonly [is: (value: unknown) => boolean, name: string, remedy: string];

/** Values that JSON cannot represent, with remedies. */
const LOST: readonly Lost[] = [
  [(value) => typeof value === 'bigint', 'a bigint', 'convert it to a number or a string'],
  [(value) => value instanceof Map, 'a Map', 'convert it by Object.fromEntries()'],
  [(value) => value instanceof Set, 'a Set', 'convert it to an array'],
  [(value) => value instanceof Promise, 'a Promise', 'await it'],
];

function refuseLost(value: unknown): void {
  const found = findLost(value, new Set());
  if (found === undefined) return;
  const { path, lost } = found;
  const [, name, remedy] = lost;
  const place = path.length === 0 ? '' : ` at "${path.join('.')}"`;
  throw new TypeError(`the result contains ${name}${place}, which JSON cannot represent; ${remedy}`);
}

interface Found {
  readonly path: readonly string[];
  readonly lost: Lost;
}

/** Finds the first value in {@link LOST}. `above` contains the objects around the value, because a value may contain itself. */
function findLost(value: unknown, above: Set<unknown>): Found | undefined {
  if (hasJson(value)) return undefined;
  const lost = LOST.find(([is]) => is(value));
  if (lost !== undefined) return { path: [], lost };
  if (typeof value !== 'object' || value === null || above.has(value)) return undefined;
  above.add(value);
  for (const [key, part] of Object.entries(value)) {
    const found = findLost(part, above);
    if (found !== undefined) return { ...found, path: [key, ...found.path] };
  }
  above.delete(value);
  return undefined;
}

/** Whether the value defines its JSON itself, as a date does. */
function hasJson(value: unknown): boolean {
  return value !== null && value !== undefined && typeof Reflect.get(Object(value), 'toJSON') === 'function';
}
