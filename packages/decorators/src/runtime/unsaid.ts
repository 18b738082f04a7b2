type Data = Readonly<Record<string, unknown>>;

/** Reduces the data of an error to what its text does not say: hosts that show `_meta` would show the rest twice. */
export function unsaid(data: Data | undefined, text: string): Data | undefined {
  const left = Object.entries(data ?? {}).filter(([, value]) => value !== undefined && !isSaid(value, text));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Whether a text names a value, or all that is in it. A truth value has no name. */
function isSaid(value: unknown, text: string): boolean {
  if (typeof value === 'string') return isNamed(value, text);
  if (typeof value === 'number') return isNamed(String(value), text);
  if (typeof value !== 'object' || value === null) return false;
  const parts: readonly unknown[] = Object.values(value);
  return parts.length > 0 && parts.every((part) => isSaid(part, text));
}

/** Whether a name occurs in a text by itself, not as part of another. */
function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWordAt(text, at - 1, name.at(0)) && !isWordAt(text, at + name.length, name.at(-1))) return name !== '';
  }
  return false;
}

/** Whether a word goes on from the edge of a name into what is beside it. */
function isWordAt(text: string, position: number, edge = ''): boolean {
  return WORD.test(edge) && WORD.test(text.charAt(position));
}

const WORD = /[\p{L}\p{N}_]/u;
