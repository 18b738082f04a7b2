import { ToolError } from '@org/mcp-decorators';
import type * as engine from '@org/mcp-sql/engine';
import { Page, parseObjectName } from '@org/mcp-sql/engine';

import type { CallLimits, Readers, Statement } from './readers.js';

/**
 * Common table expressions: `relations` has the tables and views, without SQLite's own tables and the shadow tables of virtual
 * tables; `keys` has the foreign keys.
 */
const CATALOG = `
  WITH relations AS (
    SELECT name, iif(type = 'view', 'view', 'table') AS kind, type = 'table' AS plain, wr OR strict AS keyed FROM pragma_table_list
    WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ), keys AS (
    SELECT r.name AS owner, k."table" AS target, json_group_array(k."from" ORDER BY k.seq) AS own, json_group_array(
      ifnull(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = k.seq + 1)) ORDER BY k.seq) AS theirs
    FROM relations r, pragma_foreign_key_list(r.name) k GROUP BY r.name, k.id
  )`;

/**
 * Returns the query for the columns of the relation `r`. If `views` is false, the query finds no columns of views and virtual
 * tables. `required` is true for a column that rejects NULL. Most primary keys accept NULL, for compatibility with old versions
 * of SQLite.
 */
const columns = (views: boolean): string => `
  SELECT name, iif(type = '', 'ANY', type) AS type, dflt_value, pk, "notnull" OR pk > 0 AND (
    (SELECT keyed FROM relations k WHERE k.name = r.name) OR upper(type) = 'INTEGER' AND max(pk) OVER () = 1) AS required
  FROM pragma_table_xinfo(iif(${views} OR r.name IN (SELECT name FROM relations WHERE plain), r.name, '')) WHERE hidden <> 1 ORDER BY cid`;

// json_patch removes the members of an object that are null, so that an object has no member without a value.
const objects = (views: boolean): string => `${CATALOG}, objects(name, kind, owner, detail) AS (
    SELECT 'main', 'schema', '', NULL
    UNION ALL SELECT name, kind, '', NULL FROM relations
    UNION ALL SELECT name, type, tbl_name, 'on ' || tbl_name FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
    UNION ALL SELECT c.name, 'column', r.name, 'of ' || r.name || ', ' || c.type FROM relations r, pragma_table_xinfo(iif(${views} OR r.name IN (SELECT name FROM relations WHERE plain), r.name, '')) c
  ), found AS (
    SELECT *, lower(name) <> lower(?2) AS inexact, length(name) AS length FROM objects
    WHERE name LIKE ?1 ESCAPE '\\' AND kind IN (SELECT value FROM json_each(?3)) AND ifnull(?4, 'main') = 'main'
  )
  SELECT json_patch('{}', json_object('schema', 'main', 'name', name, 'kind', kind, 'detail', iif(?6 <> 'names', detail, NULL),
    'cursor', '' || json_array(inexact, length, name, kind, owner), 'columns', json(iif(?6 = 'full' AND kind IN ('table', 'view'), (
      SELECT json_group_array(name || ' ' || type || iif(required, ' not null', '')) FROM (${columns(views)})), '[]'))))
  FROM found r
  WHERE ?7 IS NULL OR (inexact, length, name, kind, owner) > (?7 ->> 0, ?7 ->> 1, ?7 ->> 2, ?7 ->> 3, ?7 ->> 4)
  ORDER BY inexact, length, name, kind, owner LIMIT ?5`;

const relations = (views: boolean): string => `${CATALOG}
  SELECT json_patch('{}', json_object('schema', 'main', 'name', r.name, 'kind', r.kind, 'ddl', s.sql, 'definition', iif(kind = 'view', s.sql, NULL),
    'columns', (SELECT json_group_array(json_patch('{}', json_object(
      'name', name, 'type', type, 'nullable', json(iif(required, 'false', 'true')), 'default', dflt_value))) FROM (${columns(views)})),
    'primary_key', (SELECT json_group_array(name ORDER BY pk) FROM (${columns(views)}) WHERE pk > 0),
    'foreign_keys', (SELECT json_group_array(json_object(
      'name', '', 'columns', json(own), 'table', target, 'references', json(theirs))) FROM keys WHERE owner = r.name),
    'referenced_by', (SELECT json_group_array(json_object(
      'name', '', 'columns', json(own), 'table', owner, 'references', json(theirs))) FROM keys WHERE lower(target) = lower(r.name)),
    'indexes', (SELECT json_group_array(json_object('name', i.name, 'definition', ifnull(d.sql, 'unique (' || (
      SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) || ')')))
      FROM pragma_index_list(r.name) i LEFT JOIN sqlite_schema d ON d.name = i.name WHERE i.origin <> 'pk'),
    'triggers', (SELECT json_group_array(json_object('name', name, 'definition', sql))
      FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(r.name))))
  FROM relations r JOIN sqlite_schema s ON s.name = r.name AND s.type IN ('table', 'view')
  WHERE ?1 IS NULL OR lower(r.name) IN (SELECT lower(value) FROM json_each(?1)) ORDER BY r.name LIMIT ?2`;

const OTHERS = `
  SELECT json_object('schema', 'main', 'name', name, 'kind', type, 'definition', sql)
  FROM sqlite_schema WHERE type IN ('index', 'trigger') AND lower(name) = lower(?1)`;

const MEMBERS = `${CATALOG} SELECT json_object('name', name, 'kind', kind) FROM relations ORDER BY name`;

/** The fields of a description that a value of `include` selects, for values that are not themselves the name of a field. */
const PARTS: Readonly<Partial<Record<engine.Includable, readonly string[]>>> = {
  columns: ['columns', 'primary_key'],
  constraints: ['foreign_keys', 'referenced_by'],
};
const ALWAYS = ['schema', 'name', 'kind', 'definition'];

const SAMPLE_ROWS = 5;
const SAMPLE_BYTES = 4096;

/** Reads the definitions of the tables, views, indexes and triggers of a database. */
export class Catalog {
  readonly #readers: Readers;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /**
   * Finds objects by name, best match first. Does not check the cursor: the server seals cursors, so this class created every
   * cursor that it gets.
   */
  search(search: engine.Search, limits: CallLimits): Promise<engine.FoundObject[]> {
    const { pattern, kinds, schema = null, limit, detail, cursor = null } = search;
    const escaped = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`);
    const like = /[*?]/.test(pattern) ? escaped.replaceAll('*', '%').replaceAll('?', '_') : `%${escaped}%`;
    return this.#read(objects, [like, pattern, JSON.stringify(kinds), schema, String(limit), detail, cursor], limits);
  }

  /** Describes the schema, a table, a view, an index or a trigger. @throws ToolError UNDEFINED_OBJECT for a missing object */
  async describe({ name: object, include }: engine.DescribeRequest, limits: CallLimits): Promise<engine.Description> {
    const { schema, name, of } = object;
    if (name === 'main' && schema === undefined && of !== 'relation')
      return { schema: 'main', name, kind: 'schema', members: await this.#read(() => MEMBERS, [], limits) };
    const found = await this.#find(object, limits);
    const wanted = [...ALWAYS, ...include.flatMap((part) => PARTS[part] ?? [part])];
    const parts = Object.entries(found).filter(([part]) => wanted.includes(part));
    const sample = include.includes('sample') && found.columns ? [['sample', await this.#sample(found, limits)]] : [];
    return Object.fromEntries([...parts, ...sample]);
  }

  /**
   * Reads tables and views with columns and foreign keys, sorted by name.
   *
   * @throws ToolError UNDEFINED_OBJECT if a requested table does not exist
   */
  async tables({ schema = 'main', tables, limit }: engine.TableChoice, limits: CallLimits): Promise<engine.SchemaTable[]> {
    const names = tables?.map((name) => parseObjectName(name).name) ?? null;
    const found = schema === 'main' ? await this.#relations(names, limits, limit) : [];
    if (found.length < limit) requireTables(names ?? [], found);
    return found.map(({ name, columns = [], primary_key: keys = [], foreign_keys: references = [] }) => ({
      schema,
      name,
      columns: columns.map((one) => Object.assign(one, { codeTypes: findCodeTypes(one.type), isKey: keys.includes(one.name) })),
      references: references.map((key) => ({ columns: key.columns, schema, table: key.table })),
    }));
  }

  /** Returns the names of all tables, views and columns. */
  async names(limits: CallLimits): Promise<engine.CatalogNames> {
    const found = await this.#relations(null, limits);
    const named = found.map(({ columns = [], ...relation }) => ({ ...relation, columns, shown: relation.name, readable: true }));
    return { schemas: ['main'], functions: [], relations: named };
  }

  async #find({ schema = 'main', name, of }: engine.ObjectName, limits: CallLimits): Promise<engine.Description> {
    const [relation] = of === 'schema' ? [] : await this.#relations([name], limits);
    const [found = relation] = of === undefined ? await this.#read<engine.Description>(() => OTHERS, [name], limits) : [];
    if (found !== undefined && schema === 'main') return found;
    throw new ToolError('UNDEFINED_OBJECT', `the object "${name}" does not exist`, { data: { object: name } });
  }

  async #sample({ name, columns = [] }: engine.Description, limits: CallLimits): Promise<string> {
    const page = new Page({ maxRows: SAMPLE_ROWS, maxBytes: SAMPLE_BYTES, format: 'csv', keepRows: false });
    const sql = `SELECT * FROM "${name.replaceAll('"', '""')}" LIMIT ${SAMPLE_ROWS}`;
    for (const row of await this.#readers.rows({ sql }, limits)) page.add(row);
    return page.text(columns.map((column) => column.name));
  }

  #relations(names: readonly string[] | null, limits: CallLimits, limit = -1): Promise<engine.Description[]> {
    return this.#read(relations, [names === null ? null : JSON.stringify(names), String(limit)], limits);
  }

  /**
   * Reads one JSON value per row. SQLite rejects the statement if a view or virtual table is invalid. The statement is then
   * repeated without the columns of views and virtual tables.
   */
  async #read<Value>(statement: (views: boolean) => string, params: Statement['params'], limits: CallLimits): Promise<Value[]> {
    const read = (views: boolean): ReturnType<Readers['rows']> => this.#readers.rows({ sql: statement(views), params }, limits);
    const rows = await read(true).catch((error: unknown) => {
      if (!ToolError.is(error) || error.code === 'TIMEOUT') throw error;
      return read(false);
    });
    return rows.map(([json]) => JSON.parse(json ?? 'null') as Value);
  }
}

function requireTables(names: readonly string[], found: readonly { readonly name: string }[]): void {
  const missing = names.find((name) => !found.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  if (missing !== undefined)
    throw new ToolError('UNDEFINED_OBJECT', `the table "${missing}" does not exist`, { data: { object: missing } });
}

/**
 * Returns the TypeScript type and the Python type for the type name of a column, by the rules of SQLite for the affinity of a
 * column. A column with any other type name may contain every value.
 */
function findCodeTypes(type: string): engine.SchemaTable['columns'][number]['codeTypes'] {
  if (/int/i.test(type)) return { typescript: 'number', python: 'int' };
  if (/char|clob|text/i.test(type)) return { typescript: 'string', python: 'str' };
  if (/blob/i.test(type)) return { typescript: 'Buffer', python: 'bytes' };
  return /real|floa|doub/i.test(type) ? { typescript: 'number', python: 'float' } : { typescript: 'unknown', python: 'Any' };
}
