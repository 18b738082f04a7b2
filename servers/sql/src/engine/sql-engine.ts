/** Facts about a kind of database, such as PostgreSQL or SQLite. */
export interface SqlEngine {
  /** Name for people and models, such as `PostgreSQL`. */
  readonly name: string;
  /**
   * Scheme of the resource URIs, in lower-case letters. With `pg`, a table has the URI `pg://{database}/{schema}/{table}`, a stored
   * result `pgresult://…`, an export `pgexport://…` and a saved query `pgquery://…`.
   */
  readonly uriScheme: string;
  /** The placeholders of the first two values in a statement, for texts: `$1, $2`. */
  readonly placeholders: string;
  /**
   * Returns a text of at most 16 characters that is equal for statements that differ only in their values. The audit writes this
   * text instead of the statement. Without this function, the audit has no fingerprints.
   */
  readonly fingerprintStatement?: (sql: string) => Promise<string>;
}
