import { foldLetters, foldName } from '../paths/fold-name.ts';
import { originalsOf } from '../paths/originals.ts';
import { normalForm } from '../paths/spellings.ts';
import { compileFoldedGlob, compileNames, GlobError, UNFOLDED, type Fold } from './glob.ts';

/** A name, or a path that ends with `/`, in the two forms that are compared with globs. */
export interface Spelling {
  readonly normal: string;
  /** Canonical form of all names that some file system treats as equal. */
  readonly folded: string;
  /** Names of which this name may be a backup copy; absent for a path. */
  readonly originals?: readonly string[];
}

/** Whether a glob matches a name in a directory. `above` contains the path of the directory relative to each base of the globs. */
export type GlobSet = (name: Spelling, above: readonly Spelling[]) => boolean;

type Matches = (name: string, above: readonly Spelling[], form: 'normal' | 'folded') => boolean;

export const EMPTY: Spelling = { normal: '', folded: '' };

export function spellingOf(name: string): Spelling {
  const folded = foldName(name);
  if (folded === name) return { normal: name, folded, originals: originalsOf(name) };
  return { normal: normalForm(name), folded, originals: originalsOf(folded) };
}

/** Appends a name to the path of a directory. */
export function below(above: Spelling, name: Spelling): Spelling {
  return { normal: `${above.normal}${name.normal}/`, folded: `${above.folded}${name.folded}/` };
}

/**
 * Compiles globs that deny every spelling of a name: case, normal form and trailing dots that some file system ignores make no
 * difference. The name itself is compared as well, because a character class matches exact letters. A backup copy is denied like
 * the original.
 *
 * @throws GlobError
 */
export function denying(globs: readonly string[]): GlobSet {
  const normal = compiled(globs.map(normalForm));
  const folded = compiled(changedByFolding(globs), foldLetters);
  const matches: Matches = (...name) => normal(...name) || folded(...name);
  return (name, above) => {
    if (matches(name.normal, above, 'normal')) return true;
    const isPlain = name.normal === name.folded && above.every(({ normal, folded }) => normal === folded);
    if (!isPlain && matches(name.folded, above, 'folded')) return true;
    return name.originals?.some((original) => matches(original, above, 'folded')) === true;
  };
}

/**
 * Whether any of the globs may deny a name in some directory. This fast check excludes nearly all names.
 *
 * @throws GlobError
 */
export function mayBeDenied(globs: readonly string[]): (name: Spelling) => boolean {
  const isNormal = lastNames(globs.map(normalForm).map(withoutEnd));
  const isFolded = lastNames(changedByFolding(globs).map(withoutEnd), foldLetters);
  const isLast = (name: string): boolean => isNormal(name) || isFolded(name);
  return ({ normal, folded, originals }) =>
    isLast(normal) || (folded !== normal && isLast(folded)) || originals?.some(isLast) === true;
}

/**
 * Compiles globs of exceptions, which permit exactly the spelling that they name.
 *
 * @throws GlobError
 */
export function allowing(globs: readonly string[]): GlobSet {
  const matches = compiled(globs.map(normalForm));
  return (name, above) => matches(name.normal, above, 'normal');
}

/** Folded later, and only literal characters: a folded glob may contain other special characters. */
function changedByFolding(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => foldLetters(glob) !== normalForm(glob)).map(normalForm);
}

/** Compares globs without a slash with names, and globs with a slash with paths. */
function compiled(given: readonly string[], fold: Fold = UNFOLDED): Matches {
  const globs = given.map(withoutEnd);
  const isName = checked(globs, () =>
    compileNames(
      globs.filter((glob) => !glob.includes('/')),
      fold,
    ),
  );
  const ofPaths = globs.filter((glob) => glob.includes('/'));
  const paths = ofPaths.map((glob) =>
    checked([glob], () => compileFoldedGlob(glob.startsWith('/') ? glob.slice(1) : glob, fold)),
  );
  return (name, above, form) => isName(name) || paths.some((matches) => above.some((path) => matches(path[form] + name, name)));
}

/** Whether a name may be the last segment of a matching path. */
function lastNames(globs: readonly string[], fold: Fold = UNFOLDED): (name: string) => boolean {
  if (globs.some((glob) => hidesSlash(glob) || glob.endsWith('/**'))) return () => globs.length > 0;
  return compileNames(
    globs.map((glob) => glob.slice(glob.lastIndexOf('/') + 1)),
    fold,
  );
}

/** Whether a slash is in braces or follows a backslash, so that the last segment does not start after it. */
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
