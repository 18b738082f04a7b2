/** A change of a name. */
export interface MadeChange {
  readonly path: string;
  /** How many were in a directory. */
  readonly entries?: number;
  /** How many of them were left out: those that the operator denies, and git directories that may not be changed. */
  readonly skipped?: number;
  readonly undoId?: string;
}
