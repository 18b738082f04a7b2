import path from 'node:path';

/** A resource to watch: the targets where changes occur, and a fingerprint that confirms them. */
export interface WatchedResource {
  /** Resources with the same key share their watchers. */
  readonly key: string;
  /** Targets in which changes of the resource occur. If the list is empty, only sweeps check the resource. */
  readonly targets: readonly WatchTarget[];
  /**
   * Returns a text that changes whenever the resource changes, or a promise of the text if reading takes long. A failure is
   * reported and counts as no change.
   */
  fingerprint(): string | Promise<string>;
}

/**
 * A file, directory or tree in which changes of a resource occur. Paths are absolute and real; nothing behind a symbolic link is
 * watched.
 */
export type WatchTarget = FileTarget | DirectoryTarget | TreeTarget;

/** Watches one file, whether or not it exists, for its creation, change, atomic replacement and deletion. */
export interface FileTarget {
  /** A single path. */
  readonly kind: 'file';
  /** Absolute real path. */
  readonly path: string;
}

/** Watches the entries directly in a directory for additions and removals. */
export interface DirectoryTarget {
  /** A single level. */
  readonly kind: 'directory';
  /** Absolute real path; the directory need not exist. */
  readonly path: string;
}

/** Watches everything below a directory. */
export interface TreeTarget {
  /** All levels. */
  readonly kind: 'tree';
  /** Absolute real path; the directory need not exist. */
  readonly path: string;
  /** Returns whether a directory is skipped. The path is relative to the tree, with `/` between the names. */
  readonly ignores: (relative: string) => boolean | Promise<boolean>;
  /**
   * Name of the files, anywhere in the tree, that determine the result of `ignores`. If one of them changes, `ignores` is called
   * again for all directories.
   */
  readonly rules?: string;
}

/** Returns targets that report when a directory between two paths is added, removed or replaced. */
export function listTargetsBetween(above: string, below: string): readonly FileTarget[] {
  const names = path.relative(above, path.dirname(below)).split(path.sep);
  const isBelow = names[0] !== '' && names[0] !== '..' && !path.isAbsolute(names[0] ?? '');
  return isBelow ? names.map((_, index) => ({ kind: 'file', path: path.join(above, ...names.slice(0, index + 1)) })) : [];
}
