export const OBJECT_KINDS = [
  'schema',
  'table',
  'view',
  'materialized_view',
  'foreign_table',
  'sequence',
  'index',
  'column',
  'function',
  'type',
  'constraint',
  'trigger',
] as const;

export type ObjectKind = (typeof OBJECT_KINDS)[number];

/**
 * Levels of detail. `names`: schema, name and kind; `summary`: also `detail` and the comment; `full`: also the columns and the
 * estimated number of rows.
 */
export const DETAILS = ['names', 'summary', 'full'] as const;

/** A search for objects. */
export interface Search {
  /** Part of a name or comment; or a glob, which matches a whole name or any part of a comment. */
  readonly pattern: string;
  readonly kinds: readonly string[];
  /** Schema to search. Default: all schemas except the schemas of the database system itself. */
  readonly schema: string | undefined;
  readonly limit: number;
  readonly detail: (typeof DETAILS)[number];
  /** Cursor of the last object of the previous page; `undefined` for the first page. */
  readonly cursor: string | undefined;
}

export interface FoundObject {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /**
   * Parent object of a column, index, trigger, constraint or partition. For a column, also its type. For a function, its
   * arguments and result type.
   */
  readonly detail?: string | undefined;
  readonly comment?: string | undefined;
  readonly estimatedRows?: number | undefined;
  readonly columns: readonly string[];
  /** Cursor with which a search continues after this object. */
  readonly cursor: string;
}
