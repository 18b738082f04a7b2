/** A change of a name. */
export interface MadeChange {
  readonly path: string;
  /** How many were in a directory. */
  readonly entries?: number;
  /** How many of them the operator denies, so that they were left out. */
  readonly skipped?: number;
  readonly undoId?: string;
}
