import { foldLetters, foldName } from '../paths/fold-name.ts';
import { originalsOf } from '../paths/originals.ts';
import { normalForm } from '../paths/spellings.ts';
import { compileGlob, compileNames, GlobError } from './glob.ts';

/** A name, or a path that ends with `/`, in the two forms that globs are compared with. */
export interface Spelling {
  readonly normal: string;
  /** The form that all names have which some file system takes for the same. */
  readonly folded: string;
  /** Of a name: what it may be a copy of, as editors and people name their copies. */
  readonly originals?: readonly string[];
}

/** Whether a glob matches a name in a directory, which is given by its paths from every place that globs are relative to. */
export type GlobSet = (name: Spelling, above: readonly Spelling[]) => boolean;

type Matches = (name: string, above: readonly Spelling[], form: 'normal' | 'folded') => boolean;

export const EMPTY: Spelling = { normal: '', folded: '' };

export function spellingOf(name: string): Spelling {
  const folded = foldName(name);
  if (folded === name) return { normal: name, folded, originals: originalsOf(name) };
  return { normal: normalForm(name), folded, originals: originalsOf(folded) };
}

/** The path of a name in a directory, as a directory itself. */
export function below(above: Spelling, name: Spelling): Spelling {
  return { normal: `${above.normal}${name.normal}/`, folded: `${above.folded}${name.folded}/` };
}

/**
 * Globs of what is denied, for every spelling of a name: with the case, the normal form or the dots at the end that some file system
 * ignores. The name itself counts as well, because a character class is about the letters it names. A copy is denied like the original.
 *
 * @throws GlobError
 */
export function denying(globs: readonly string[]): GlobSet {
  const matches = compiled([...new Set(globs.flatMap((glob) => [normalForm(glob), foldLetters(glob)]))]);
  return (name, above) => {
    if (matches(name.normal, above, 'normal')) return true;
    const isPlain = name.normal === name.folded && above.every(({ normal, folded }) => normal === folded);
    if (!isPlain && matches(name.folded, above, 'folded')) return true;
    return name.originals?.some((original) => matches(original, above, 'folded')) === true;
  };
}

/**
 * Whether a name may be denied by any of the globs, wherever it is. Nearly all names are told apart by that, in one look-up.
 *
 * @throws GlobError
 */
export function mayBeDenied(globs: readonly string[]): (name: Spelling) => boolean {
  const isLast = lastNames([...new Set(globs.flatMap((glob) => [normalForm(glob), foldLetters(glob)]))].map(withoutEnd));
  return ({ normal, folded, originals }) =>
    isLast(normal) || (folded !== normal && isLast(folded)) || originals?.some(isLast) === true;
}

/**
 * Globs of exceptions: they permit the spelling that they name and no other one.
 *
 * @throws GlobError
 */
export function allowing(globs: readonly string[]): GlobSet {
  const matches = compiled(globs.map(normalForm));
  return (name, above) => matches(name.normal, above, 'normal');
}

/** A glob without a slash is about names, one with a slash about paths. */
function compiled(given: readonly string[]): Matches {
  const globs = given.map(withoutEnd);
  const isName = checked(globs, () => compileNames(globs.filter((glob) => !glob.includes('/'))));
  const ofPaths = globs.filter((glob) => glob.includes('/'));
  const paths = ofPaths.map((glob) => checked([glob], () => compileGlob(glob.startsWith('/') ? glob.slice(1) : glob)));
  return (name, above, form) => isName(name) || paths.some((matches) => above.some((path) => matches(path[form] + name, name)));
}

/** Whether a name may be the last one of a path that matches. */
function lastNames(globs: readonly string[]): (name: string) => boolean {
  if (globs.some((glob) => hidesSlash(glob) || glob.endsWith('/**'))) return () => globs.length > 0;
  return compileNames(globs.map((glob) => glob.slice(glob.lastIndexOf('/') + 1)));
}

/** Whether a slash is in braces or follows a backslash: the last name does not begin there. */
function hidesSlash(glob: string): boolean {
  return glob.split('}').some((piece) => {
    const start = piece.search(/[{\\]/);
    return start !== -1 && piece.lastIndexOf('/') > start;
  });
}

function withoutEnd(glob: string): string {
  return glob.endsWith('/') ? glob.slice(0, -1) : glob;
}

function checked<Value>(globs: readonly string[], compile: () => Value): Value {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const shown = globs.map((glob) => JSON.stringify(glob)).join(', ');
    throw new GlobError(`the glob ${shown} cannot be used: ${error.message}`);
  }
}
