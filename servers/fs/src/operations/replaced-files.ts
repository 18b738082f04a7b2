/** A place where something would be replaced. */
export interface Occurrence {
  /** Holds as long as the file is as it is. */
  readonly id: string;
  readonly line: number;
  /** That line, or its beginning. */
  readonly text: string;
}

/** A file in which something was replaced, or would be. */
export interface ReplacedFile {
  readonly path: string;
  readonly etag: string;
  readonly replacements: number;
  /** Of a dry run. */
  readonly occurrences?: readonly Occurrence[];
}

/** What was replaced in files, or would be. */
export interface ReplacedFiles {
  readonly files: readonly ReplacedFile[];
  /** In all files. */
  readonly replacements: number;
  /** Binary files, which stay as they are. */
  readonly binary: number;
  /** Files and directories that could not be read. */
  readonly unreadable: number;
  /** Undoes all of it. */
  readonly undoId?: string;
}
