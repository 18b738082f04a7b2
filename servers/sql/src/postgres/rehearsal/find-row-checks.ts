import type { CopiedConstraint, CopiedObjects, UniqueIndex } from './rehearsal-database.ts';

/** A query on the database that counts the rows or values which would make a statement fail. */
export interface RowCheck {
  /** The rows or values that the query counts, such as `rows of crm.orders without a value in note`. */
  readonly counts: string;
  /** Query whose first value is the number. The query fails if a value cannot be converted to the new type of its column. */
  readonly sql: string;
  /** Qualified names, as SQL, of the tables that the query reads. */
  readonly tables: readonly string[];
}

/** The objects in the copy before and after a statement. */
export interface Change {
  readonly before: CopiedObjects;
  readonly after: CopiedObjects;
  /** Qualified names in the database, keyed by OID in the copy. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Returns the checks for constraints that a statement has added or validated, for unique indexes that it has added, and for
 * columns with a changed type. Tables that the database does not have are omitted.
 */
export function findRowChecks(change: Change): readonly RowCheck[] {
  const { before, after } = change;
  const known = new Map(before.constraints.map((constraint) => [constraint.oid, constraint]));
  const indexes = new Set(before.unique.map(({ oid }) => oid));
  const constraints = after.constraints.filter(({ oid, validated }) => validated && known.get(oid)?.validated !== true);
  return [
    ...constraints.flatMap((constraint) => checkConstraint(constraint, change)),
    ...after.unique.filter(({ oid }) => !indexes.has(oid)).flatMap((index) => checkUnique(index, change)),
    ...checkTypes(change),
  ];
}

function checkConstraint(constraint: CopiedConstraint, change: Change): readonly RowCheck[] {
  const table = change.names.get(constraint.table);
  if (table === undefined) return [];
  if (constraint.kind === 'n') return checkNotNull(constraint, table, change);
  if (constraint.kind === 'f') return checkForeignKey(constraint, table, change);
  const counts = `rows of ${table} that violate the constraint ${constraint.name}`;
  return [{ counts, tables: [table], sql: `select count(*) from ${table} where not (${constraint.condition ?? 'true'})` }];
}

function checkNotNull(
  { table: oid, numbers, columns }: CopiedConstraint,
  table: string,
  { before, after }: Change,
): readonly RowCheck[] {
  const [[number], [column]] = [numbers ?? [], columns ?? []];
  if (column === undefined) return [];
  const isSame = (one: CopiedObjects['columns'][number]): boolean => one.table === oid && one.number === number;
  if (before.columns.some(isSame))
    return [
      {
        counts: `rows of ${table} without a value in ${column}`,
        tables: [table],
        sql: `select count(*) from ${table} where ${column} is null`,
      },
    ];
  if (after.columns.find(isSame)?.filled === true) return [];
  return [
    { counts: `rows of ${table}, which would have no value in ${column}`, tables: [table], sql: `select count(*) from ${table}` },
  ];
}

function checkForeignKey(constraint: CopiedConstraint, table: string, { names }: Change): readonly RowCheck[] {
  const { columns, parent_columns: keys, parent: oid, name } = constraint;
  const parent = names.get(oid ?? '');
  if (parent === undefined || columns === null || keys === null) return [];
  const given = columns.map((column) => `c.${column} is not null`).join(' and ');
  const equal = columns.map((column, place) => `p.${keys[place]} = c.${column}`).join(' and ');
  const sql = `select count(*) from ${table} c where ${given} and not exists (select from ${parent} p where ${equal})`;
  return [{ counts: `rows of ${table} that refer to no row of ${parent} (${name})`, tables: [table, parent], sql }];
}

function checkUnique({ table: oid, keys, condition, nulls_equal, name }: UniqueIndex, { names }: Change): readonly RowCheck[] {
  const table = names.get(oid);
  if (table === undefined) return [];
  const given = nulls_equal ? [] : keys.map((key) => `(${key}) is not null`);
  const where = [...(condition === null ? [] : [`(${condition})`]), ...given].join(' and ');
  const groups = `select from ${table}${where === '' ? '' : ` where ${where}`} group by ${keys.map((key) => `(${key})`).join(', ')} having count(*) > 1`;
  return [
    {
      counts: `values of ${keys.join(', ')} that occur more than once in ${table} (${name})`,
      tables: [table],
      sql: `select count(*) from (${groups}) d`,
    },
  ];
}

function checkTypes({ before, after, names }: Change): readonly RowCheck[] {
  const former = new Map(before.columns.map((column) => [`${column.table} ${column.number}`, column]));
  return after.columns.flatMap(({ table: oid, number, type }) => {
    const [old, table] = [former.get(`${oid} ${number}`), names.get(oid)];
    if (old === undefined || old.type === type || table === undefined) return [];
    // The query converts the values to the new type. A value that cannot be converted makes the query fail.
    const sql = `select count(*) filter (where v.v is null and v.old is not null) from (select ${old.sql}::${type} as v, ${old.sql} as old from ${table}) v`;
    return [{ counts: `rows of ${table} whose ${old.sql} becomes NULL as ${type}`, tables: [table], sql }];
  });
}
