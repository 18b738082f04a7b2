/** Options that are merged one level deep instead of being replaced. */
const NESTED = new Set(['annotations', 'cache', '_meta', 'view', 'extensions', 'experimental']);

/** Options that exclude each other: giving one removes the inherited other one. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  input: 'inputSchema',
  inputSchema: 'input',
  uri: 'uriTemplate',
  uriTemplate: 'uri',
};

/** Merges given options over inherited ones. An option with the value `undefined` counts as not given. */
export function mergeOptions<Options extends object>(inherited: Options, given: Options): Options {
  const merged: Options = { ...inherited };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const above: unknown = Reflect.get(inherited, name);
    Reflect.set(merged, name, NESTED.has(name) && isObject(above) && isObject(value) ? { ...above, ...value } : value);
    const other = ALTERNATIVES[name];
    if (other !== undefined && !(other in given)) Reflect.deleteProperty(merged, other);
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
