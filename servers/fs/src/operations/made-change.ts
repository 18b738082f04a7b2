/** A change of a name. */
export interface MadeChange {
  readonly path: string;
  /** How many were in a directory. */
  readonly entries?: number;
  /** Number of skipped entries: denied names and protected git directories. */
  readonly skipped?: number;
  readonly undoId?: string;
}
