import { NAMING, type Naming } from './naming.ts';

/**
 * The names that lead from a directory to a path below it; none for the directory itself, `undefined` for what lies elsewhere:
 * `/srv/safe_evil` is not below `/srv/safe`.
 *
 * @param directory absolute and normalised, as the candidate is
 */
export function namesBelow(directory: string, candidate: string, naming: Naming = NAMING): readonly string[] | undefined {
  const { sep } = naming.paths;
  // Fast path: the spelling is nearly always the same.
  const start = directory.endsWith(sep) ? directory : directory + sep;
  if (candidate.startsWith(start)) return candidate.slice(start.length).split(sep).filter(isName);
  if (candidate === directory) return [];
  if (naming.isExact === true && !directory.endsWith(sep)) return undefined;
  const above = partsOf(directory, naming);
  const parts = partsOf(candidate, naming);
  if (parts.length < above.length || above.some((part, index) => !naming.same(part, parts[index] ?? ''))) return undefined;
  return parts.slice(above.length);
}

/** Whether an absolute, normalised path is a directory or lies below it. */
export function isContained(directory: string, candidate: string, naming: Naming = NAMING): boolean {
  return namesBelow(directory, candidate, naming) !== undefined;
}

/** The root of the file system, and every name after it. */
function partsOf(absolute: string, { paths }: Naming): readonly string[] {
  const { root } = paths.parse(absolute);
  const names = absolute.slice(root.length).split(paths.sep);
  return [root, ...names.filter(isName)];
}

function isName(part: string): boolean {
  return part !== '';
}
