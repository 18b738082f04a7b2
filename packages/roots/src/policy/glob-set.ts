import { foldLetters, foldName, toNormalForm } from '../paths/fold-name.ts';
import { GlobError } from './glob-braces.ts';
import { compileFoldedGlob, compileNames, getEnd, getExtension, UNFOLDED, type Fold, type NameGlobs } from './glob.ts';

/** A name, or a path that ends with `/`, in both forms that are compared with globs. */
export interface Spelling {
  readonly normal: string;
  /** Canonical form of all names that some file system treats as equal. */
  readonly folded: string;
  /** Names of which this name may be a backup copy; absent for a path. */
  readonly originals?: readonly string[];
}

/**
 * Returns whether any of the globs matches a name in a directory. `above` contains the path of the directory relative to each
 * base of the globs.
 */
export type GlobSet = (name: Spelling, above: readonly Spelling[]) => boolean;

type Matches = (name: string, above: readonly Spelling[], form: 'normal' | 'folded') => boolean;

export const EMPTY_PATH: Spelling = { normal: '', folded: '' };

export function spellName(name: string): Spelling {
  const folded = foldName(name);
  if (folded === name) return { normal: name, folded, originals: listOriginals(name) };
  return { normal: toNormalForm(name), folded, originals: listOriginals(folded) };
}

/** Appends a name to the path of a directory. */
export function appendName(above: Spelling, name: Spelling): Spelling {
  return { normal: `${above.normal}${name.normal}/`, folded: `${above.folded}${name.folded}/` };
}

/**
 * Compiles globs that deny every spelling of a name: case, normal form and trailing dots that some file system ignores make no
 * difference. The name itself is compared as well, because a character class matches exact letters. A backup copy is denied like
 * the original.
 *
 * @throws GlobError
 */
export function compileDenying(globs: readonly string[]): GlobSet {
  const normal = compileMatches(globs.map(toNormalForm));
  const folded = compileMatches(selectChangedByFolding(globs), foldLetters);
  const matches: Matches = (...name) => normal(...name) || folded(...name);
  return (name, above) => {
    if (matches(name.normal, above, 'normal')) return true;
    const isPlain = name.normal === name.folded && above.every(({ normal, folded }) => normal === folded);
    if (!isPlain && matches(name.folded, above, 'folded')) return true;
    return name.originals?.some((original) => matches(original, above, 'folded')) === true;
  };
}

/**
 * Returns a fast check whether any of the globs may deny a name in some directory. The check returns `false` for nearly all
 * names, which then need no further check.
 * @throws GlobError
 */
export function compilePrecheck(globs: readonly string[]): (name: string) => boolean {
  const isLast = compileLastNames(
    { patterns: globs.map(toNormalForm).map(withoutTrailingSlash), fold: UNFOLDED },
    { patterns: selectChangedByFolding(globs).map(withoutTrailingSlash), fold: foldLetters },
  );
  return (name) => {
    if (SINGLE_SPELLING.test(name) && !isCopy(name)) return isLast(name);
    const { normal, folded, originals } = spellName(name);
    return isLast(normal) || (folded !== normal && isLast(folded)) || originals?.some(isLast) === true;
  };
}

/** Matches names of printable ASCII without capital letters, and without a dot or a space at the end. Such a name equals both of its forms. */
const SINGLE_SPELLING = /^[ -@[-~]*[!-\-/-@[-~]$/;

/**
 * Compiles globs of exceptions, which permit only the spelling that they name. Only the Unicode normal form of the name may
 * differ.
 *
 * @throws GlobError
 */
export function compileAllowing(globs: readonly string[]): GlobSet {
  const matches = compileMatches(globs.map(toNormalForm));
  return (name, above) => matches(name.normal, above, 'normal');
}

/**
 * Selects the globs that folding changes. Only the literal characters of these globs are folded, after parsing, because
 * folding the text of a glob may create special characters.
 */
function selectChangedByFolding(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => foldLetters(glob) !== toNormalForm(glob)).map(toNormalForm);
}

/** Compares globs without a slash with names, and globs with a slash with paths. */
function compileMatches(given: readonly string[], fold: Fold = UNFOLDED): Matches {
  const globs = given.map(withoutTrailingSlash);
  const isName = nameFailingGlobs(globs, () => compileNames({ patterns: globs.filter((glob) => !glob.includes('/')), fold }));
  const ofPaths = globs.filter((glob) => glob.includes('/'));
  const paths = ofPaths.map((glob) =>
    nameFailingGlobs([glob], () => compileFoldedGlob(glob.startsWith('/') ? glob.slice(1) : glob, fold)),
  );
  return (name, above, form) => isName(name) || paths.some((matches) => above.some((path) => matches(path[form] + name, name)));
}

/** Compiles a check whether a name may be the last segment of a path that one of the globs matches. */
function compileLastNames(...globs: readonly Required<NameGlobs>[]): (name: string) => boolean {
  const isUnclear = (glob: string): boolean => hidesSlash(glob) || glob.endsWith('/**');
  if (globs.some(({ patterns }) => patterns.some(isUnclear))) return () => true;
  const lastName = (glob: string): string => glob.slice(glob.lastIndexOf('/') + 1);
  return compileNames(...globs.map(({ patterns, fold }) => ({ patterns: patterns.map(lastName), fold })));
}

/**
 * Returns whether the last slash of a glob may not start the last segment, because the slash is in braces or follows a
 * backslash.
 */
function hidesSlash(glob: string): boolean {
  const start = glob.search(/[{\\]/);
  return start !== -1 && glob.lastIndexOf('/') > start;
}

function withoutTrailingSlash(glob: string): string {
  return glob.endsWith('/') ? glob.slice(0, -1) : glob;
}

function nameFailingGlobs<Value>(globs: readonly string[], compile: () => Value): Value {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const shown = globs.map((glob) => JSON.stringify(glob)).join(', ');
    throw new GlobError(`the glob ${shown} cannot be used: ${error.message}`);
  }
}

/** Suffixes that people and editors append to the name of a copy: `x~`, `x.~1~`, `x.bak`, `x.1`. */
const MARK = /(?:~|\.~[0-9]{1,3}~|\.(?:bak|backup|copy|old|orig|save|tmp|[0-9]{1,2}))$/;

/** Matches the extension of Vim's swap files, such as `.x.swp`. */
const SWAP = /\.sw[a-p]$/;

/** Maximum number of suffixes that are removed from a name, one at a time. */
const MOST_MARKS = 3;

/** Extensions of backup copies. */
const COPY_EXTENSIONS: ReadonlySet<string> = new Set([
  '.bak',
  '.backup',
  '.copy',
  '.old',
  '.orig',
  '.save',
  '.tmp',
  ...Array.from('abcdefghijklmnop', (letter) => `.sw${letter}`),
  ...Array.from({ length: 10 }, (_, digit) => `.${digit}`),
  ...Array.from({ length: 100 }, (_, number) => `.${String(number).padStart(2, '0')}`),
]);
const COPY_ENDS: ReadonlySet<number> = new Set([...COPY_EXTENSIONS].map(getEnd));

/**
 * Returns whether a name may be the name of a copy: it ends with `~`, `#` or one of {@link COPY_EXTENSIONS}, or begins with `.#`.
 */
function isCopy(name: string): boolean {
  if (name.endsWith('~') || name.endsWith('#') || name.startsWith('.#')) return true;
  return COPY_ENDS.has(getEnd(name)) && COPY_EXTENSIONS.has(getExtension(name));
}

/** Returns the names of which a name may be a backup copy; the list is empty for an ordinary name. */
export function listOriginals(name: string): readonly string[] {
  if (!isCopy(name)) return NONE;
  const originals: string[] = [];
  let current = name;
  for (let marks = 0; marks < MOST_MARKS; marks += 1) {
    const next = removeMark(current);
    if (next === undefined) break;
    originals.push(next);
    // The swap file of `x` is `.x.swp`; the swap file of `.x` is `.x.swp` or `..x.swp`.
    if (SWAP.test(current) && next.startsWith('.') && next.length > 1) originals.push(next.slice(1));
    current = next;
  }
  return originals;
}

const NONE: readonly string[] = [];

function removeMark(name: string): string | undefined {
  if (name.length > 2 && name.startsWith('#') && name.endsWith('#')) return name.slice(1, -1);
  if (name.length > 2 && name.startsWith('.#')) return name.slice(2);
  const mark = MARK.exec(name) ?? SWAP.exec(name);
  return mark === null || mark.index === 0 ? undefined : name.slice(0, mark.index);
}
