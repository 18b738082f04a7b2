/** What is watched: where changes show, and what tells whether there was one. */
export interface Subject {
  /** Same key = same subject: its watchers are shared by all listeners. */
  readonly key: string;
  /** None is allowed: such a subject is looked at by the sweeps alone. */
  readonly places: readonly Place[];
  /** Changes exactly when the subject does; a failure is reported and counts as no change. What takes long is promised. */
  fingerprint(): string | Promise<string>;
}

/** Where changes of a subject show. Paths are absolute and real: nothing is seen behind a symbolic link. */
export type Place = FilePlace | DirectoryPlace | TreePlace;

/** One file, there or not: its creation, change, atomic replacement, deletion and re-creation. */
export interface FilePlace {
  /** One path. */
  readonly kind: 'file';
  /** Absolute and real. */
  readonly path: string;
}

/** The entries directly in a directory: those added and those removed. */
export interface DirectoryPlace {
  /** One level. */
  readonly kind: 'directory';
  /** Absolute and real; it need not exist. */
  readonly path: string;
}

/** Everything below a directory. */
export interface TreePlace {
  /** All levels. */
  readonly kind: 'tree';
  /** Absolute and real; it need not exist. */
  readonly path: string;
  /** Whether a directory is not entered; its path is relative to the tree's, with `/` between the names. */
  readonly ignores: (relative: string) => boolean | Promise<boolean>;
  /** Name of the files, anywhere in the tree, that `ignores` goes by: once one of them changes, it is asked again of all. */
  readonly rules?: string;
}
