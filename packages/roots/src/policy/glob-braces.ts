/** Maximum number of patterns that braces may expand to. */
const MAX_ALTERNATIVES = 64;
/** Maximum number of opening braces, because expanding takes a stack frame for each brace. */
const MAX_BRACES = 256;

/** Error for an unusable glob. The message is the reason; a caller with several globs adds the globs. */
export class GlobError extends Error {
  override readonly name: string = 'GlobError';
}

/**
 * Returns the patterns that a glob with braces stands for, such as `a` and `b` for `{a,b}`.
 *
 * @throws GlobError for too many braces or alternatives
 */
export function expandAlternatives(pattern: string): readonly string[] {
  if (pattern.split('{').length > MAX_BRACES + 1) throw new GlobError(`it contains more than ${MAX_BRACES} opening braces`);
  return expandBraces(pattern);
}

function expandBraces(pattern: string): readonly string[] {
  const open = pattern.includes('{') ? findUnescaped(pattern, '{') : -1;
  const close = open === -1 ? -1 : findClosingBrace(pattern, open);
  if (close === -1) return [pattern];
  const options = splitOptions(pattern.slice(open + 1, close));
  if (options.length < 2)
    return expandRest(pattern.slice(0, close + 1).replaceAll(/[{}]/g, String.raw`\$&`), pattern.slice(close + 1));
  const heads = options.flatMap((option) => expandBraces(pattern.slice(0, open) + option));
  return requireFewAlternatives(heads.flatMap((head) => expandRest(head, pattern.slice(close + 1))));
}

function expandRest(head: string, rest: string): readonly string[] {
  return expandBraces(rest).map((tail) => head + tail);
}

function requireFewAlternatives(alternatives: readonly string[]): readonly string[] {
  if (alternatives.length > MAX_ALTERNATIVES) throw new GlobError(`it expands to more than ${MAX_ALTERNATIVES} patterns`);
  return alternatives;
}

function findClosingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let position = open; position < pattern.length; position += 1) {
    const character = pattern[position];
    if (character === '\\') position += 1;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return position;
  }
  return -1;
}

function splitOptions(inner: string): readonly string[] {
  const options = [''];
  let depth = 0;
  for (let position = 0; position < inner.length; position += 1) {
    const character = inner[position] ?? '';
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth === 0) options.push('');
    else options[options.length - 1] += character === '\\' ? character + (inner[++position] ?? '') : character;
  }
  return options;
}

function findUnescaped(pattern: string, wanted: string): number {
  for (let position = 0; position < pattern.length; position += 1) {
    if (pattern[position] === '\\') position += 1;
    else if (pattern[position] === wanted) return position;
  }
  return -1;
}
