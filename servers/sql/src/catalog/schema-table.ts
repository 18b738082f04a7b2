/** Programming languages for which types are generated. */
export const LANGUAGES = ['typescript', 'python'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A table or view, with the facts that diagrams and generated types need. */
export interface SchemaTable {
  readonly schema: string;
  readonly name: string;
  readonly comment?: string | undefined;
  readonly columns: readonly SchemaColumn[];
  readonly references: readonly Reference[];
}

export interface SchemaColumn {
  readonly name: string;
  /** Type as the database writes it, without modifiers such as `(10,2)`. For an array, the type of the elements. */
  readonly type: string;
  /** Default: `false` */
  readonly isArray?: boolean;
  /** Type of a value of the column in each language, without the type of NULL. */
  readonly codeTypes: Readonly<Record<Language, string>>;
  readonly nullable: boolean;
  readonly isKey: boolean;
  readonly comment?: string | undefined;
}

/** A foreign key. */
export interface Reference {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** Whether at most one row of this table can reference the same row of the referenced table. Default: `false` */
  readonly isUnique?: boolean;
}

/** Selects tables. */
export interface TableChoice {
  /** Default: all schemas except those of the database system itself. */
  readonly schema?: string | undefined;
  /** Names in SQL syntax, with or without a schema. Default: all tables. */
  readonly tables?: readonly string[] | undefined;
  readonly limit: number;
}
