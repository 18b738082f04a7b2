/** Names of the schemas, relations, columns, functions and enum types of a database. */
export interface CatalogNames {
  /** Excludes the schemas of the database system itself. */
  readonly schemas: readonly string[];
  readonly relations: readonly NamedRelation[];
  /**
   * Names in SQL syntax. A name includes the schema only if the name alone is ambiguous, or SQL does not find it. Excludes the
   * functions of the database system itself.
   */
  readonly functions: readonly string[];
  /** Enum types outside of the database system itself; absent if the database has no enum types. */
  readonly enums?: readonly NamedEnum[];
}

interface NamedEnum {
  /** Name in SQL syntax. Includes the schema only if SQL does not find the type by its name alone. */
  readonly shown: string;
  /** Values in order. */
  readonly labels: readonly string[];
}

/** A table, or another relation that can be read like a table, such as a view. */
export interface NamedRelation {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /** Name in SQL syntax. Includes the schema only if SQL does not find the relation by its name alone. */
  readonly shown: string;
  /** Whether the role may read at least one column. */
  readonly readable: boolean;
  /** Columns in order; empty for relations of the database system itself. */
  readonly columns: readonly NamedColumn[];
}

export interface NamedColumn {
  readonly name: string;
  readonly type: string;
}
