import { Flag, Integer, ListOf, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { MAX_OBJECT_NAME } from '../../catalog/object-name.ts';
import { timeoutFor } from '../../engine/limits.ts';
import type { Database } from '../database/database.ts';
import { fenced } from '../../rows/fenced.ts';
import { cutText } from '../../rows/fit.ts';
import { visible } from '../../rows/shown-value.ts';
import type { Connection } from '../database/connect/connection.ts';
import { DatabaseInput } from '../../tools/database-input.ts';

export class CompareSchemasInput extends DatabaseInput {
  @Text('Schema to compare', { maxLength: MAX_OBJECT_NAME }) schema!: string;

  @Text('Id of the database that contains the other schema; default: the same database', {
    optional: true,
    maxLength: MAX_OBJECT_NAME,
  })
  other_database?: string;

  @Text('Name of the other schema; default: the same name', { optional: true, maxLength: MAX_OBJECT_NAME })
  other_schema?: string;

  @Integer('Number of differences to skip', { min: 0 }) offset = 0;
  @Integer('Maximum number of differences', { min: 1, max: 1000 }) limit = 200;
}

export const CHANGES = ['missing', 'added', 'changed'] as const;

export class SchemaDifference {
  @OneOf(CHANGES, 'missing: not in the other schema; added: only in the other schema; changed: definitions differ')
  change!: (typeof CHANGES)[number];
  @Text('Kind and name, such as column orders.note') object!: string;
  @Text('Definition in this schema', { optional: true }) here?: string;
  @Text('Definition in the other schema', { optional: true }) there?: string;
}

export class SchemaDifferences {
  @ListOf(() => SchemaDifference, 'Sorted by name') differences!: SchemaDifference[];
  @Integer('Number of equal objects') same!: number;
  @Flag('More differences exist') truncated!: boolean;
  @Integer('offset of the next page', { optional: true }) next_offset?: number;
}

/**
 * Returns the differences between two schemas.
 *
 * @param databases database of the schema and database of the other schema
 * @throws ToolError UNDEFINED_OBJECT, and errors of `Database.readOnly`
 */
export async function compareSchemas(
  databases: readonly [Database, Database],
  input: CompareSchemasInput,
  context: RequestContext,
): Promise<Result> {
  const compared = await findDifferences(databases, input, context);
  return Result.of(compared, formatDifferences(compared));
}

async function findDifferences(
  [database, other]: readonly [Database, Database],
  input: CompareSchemasInput,
  context: RequestContext,
): Promise<SchemaDifferences> {
  const { schema, other_schema = schema, offset, limit } = input;
  const timeoutMs = timeoutFor(database, input);
  const [here, there] = await Promise.all([
    requireInventory(database, schema, { signal: context.signal, timeoutMs }),
    requireInventory(other, other_schema, { signal: context.signal, timeoutMs }),
  ]);
  const objects = [...new Set([...here.keys(), ...there.keys()])].toSorted();
  const compared = objects.flatMap((object) => compareObject(object, here.get(object), there.get(object)));
  const differences = mergeParts(compared);
  const { maxBytes } = database.limits;
  const wanted = differences.slice(offset, offset + limit).map((each) => shortenDefinitions(each, maxBytes / 4));
  const shown = takeFittingItems(wanted, maxBytes);
  const next = offset + shown.length;
  const truncated = differences.length > next;
  return {
    differences: shown,
    same: objects.length - compared.length,
    truncated,
    ...(truncated && { next_offset: next }),
  };
}

const RELATION = /^(?:table|foreign table|view|materialized view) (.*)$/;
const PART = /^(?:column|constraint|index|trigger|policy) /;

/**
 * For a relation that exists in only one schema, removes the differences of its columns, constraints, indexes, triggers and
 * policies. The definition of the relation then lists its columns.
 */
function mergeParts(differences: readonly SchemaDifference[]): readonly SchemaDifference[] {
  const lone = differences.filter(({ change, object }) => change !== 'changed' && RELATION.test(object));
  const prefixes = lone.map(({ object }) => `${RELATION.exec(object)?.[1] ?? ''}.`);
  const isPart = ({ object }: SchemaDifference): boolean =>
    PART.test(object) && prefixes.some((prefix) => object.replace(PART, '').startsWith(prefix));
  const parts = differences.filter(isPart);
  return differences
    .filter((difference) => !isPart(difference))
    .map((difference) => (lone.includes(difference) ? withColumns(difference, parts) : difference));
}

function withColumns(difference: SchemaDifference, parts: readonly SchemaDifference[]): SchemaDifference {
  const start = `column ${RELATION.exec(difference.object)?.[1] ?? ''}.`;
  const side = difference.change === 'missing' ? 'here' : 'there';
  const columns = parts
    .filter(({ object }) => object.startsWith(start))
    .map((part) => `${part.object.slice(start.length)} ${part[side] ?? ''}`);
  if (columns.length === 0) return difference;
  const definition = [difference[side], columns.join(', ')].filter(Boolean).join(', ');
  return Object.assign(new SchemaDifference(), difference, { [side]: definition });
}

/** Cuts the definitions of a difference. @param maxBytes limit of one definition */
function shortenDefinitions({ here, there, ...rest }: SchemaDifference, maxBytes: number): SchemaDifference {
  return {
    ...rest,
    ...(here !== undefined && { here: cutText(here, maxBytes) }),
    ...(there !== undefined && { there: cutText(there, maxBytes) }),
  };
}

async function requireInventory(
  database: Database,
  schema: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Inventory> {
  const found = await database.readOnly(options, ({ connection }) => readInventory(connection, schema));
  if (found !== undefined) return found;
  throw new ToolError('UNDEFINED_OBJECT', `schema "${schema}" does not exist in ${database.id}`, { data: { object: schema } });
}

function compareObject(object: string, here: string | undefined, there: string | undefined): readonly SchemaDifference[] {
  if (here === there) return [];
  const change = there === undefined ? 'missing' : here === undefined ? 'added' : 'changed';
  return [{ change, object: object.trim(), ...(here !== undefined && { here }), ...(there !== undefined && { there }) }];
}

function formatDifferences({ differences, same, truncated, next_offset }: SchemaDifferences): string {
  const lines = differences.flatMap(({ change, object, here, there }) => [
    `${change} ${object}`,
    ...(here === undefined || here === '' ? [] : [`  here: ${here}`]),
    ...(there === undefined || there === '' ? [] : [`  there: ${there}`]),
  ]);
  return [
    ...(differences.length === 0 ? [] : [fenced(visible(lines.join('\n')), '')]),
    `differences on this page: ${differences.length}; equal objects: ${same}`,
    ...(truncated ? [`[More differences exist: continue with offset ${next_offset ?? 0}.]`] : []),
  ].join('\n');
}

/** Definitions of the objects of a schema. A key is the kind and the name of an object. */
type Inventory = ReadonlyMap<string, string>;

/**
 * Reads the definitions of the relations, functions, enums and domains of a schema. The name of the schema is removed from the
 * definitions, so that schemas with different names can be compared. Returns `undefined` if the schema does not exist.
 */
async function readInventory(connection: Connection, schema: string): Promise<Inventory | undefined> {
  // If a schema is in the search path, PostgreSQL writes the names of its objects without the schema.
  const [[quoted] = []] = await connection.rows(`select set_config('search_path', quote_ident($1), true)`, [schema]);
  const rows = await connection.lastRows(INVENTORY, [schema]);
  if (rows.length === 0) return undefined;
  const prefix = `${quoted ?? ''}.`;
  return new Map(
    rows.map(([kind, name, definition]) => [`${kind ?? ''} ${name ?? ''}`, (definition ?? '').replaceAll(prefix, '')]),
  );
}

const INVENTORY = `
  with here as (select oid from pg_namespace where nspname = $1),
    tables as (select c.* from pg_class c join here on here.oid = c.relnamespace)
  select 'schema', '', obj_description(oid, 'pg_namespace') from here
  union all
  select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' when 'S' then 'sequence' else 'table' end,
    quote_ident(relname),
    concat_ws(', ', case when relkind in ('v', 'm') then pg_get_viewdef(oid, true) end, case when relpersistence = 'u' then 'unlogged' end,
      case when relrowsecurity then 'row security' end, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
      (select concat_ws(' ', format_type(seqtypid, null), seqincrement, seqmin, seqmax, seqcycle) from pg_sequence where seqrelid = tables.oid))
  from tables where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select 'column', quote_ident(c.relname) || '.' || quote_ident(a.attname),
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
      case a.attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end,
      case when a.attgenerated <> '' then 'generated as' when d.oid is not null then 'default' end, pg_get_expr(d.adbin, d.adrelid))
  from tables c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'f') and a.attnum > 0 and not a.attisdropped
  union all
  select 'constraint', quote_ident(c.relname) || '.' || quote_ident(o.conname), pg_get_constraintdef(o.oid, true)
  from pg_constraint o join tables c on c.oid = o.conrelid where o.contype <> 'n'
  union all
  select 'index', quote_ident(t.relname) || '.' || quote_ident(c.relname), pg_get_indexdef(c.oid, 0, true)
  from tables c join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = i.indrelid
  where not exists (select from pg_constraint o where o.conindid = c.oid)
  union all
  select 'trigger', quote_ident(c.relname) || '.' || quote_ident(t.tgname), pg_get_triggerdef(t.oid, true)
  from pg_trigger t join tables c on c.oid = t.tgrelid where not t.tgisinternal
  union all
  select 'policy', quote_ident(c.relname) || '.' || quote_ident(p.polname),
    concat_ws(' ', p.polcmd::text, p.polpermissive::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_policy p join tables c on c.oid = p.polrelid
  union all
  select case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end,
    quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')',
    case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) end
  from pg_proc p join here on here.oid = p.pronamespace
  where not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select case t.typtype when 'e' then 'enum' else 'domain' end, quote_ident(t.typname),
    case t.typtype when 'e' then (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      else concat_ws(' ', format_type(t.typbasetype, t.typtypmod), case when t.typnotnull then 'not null' end, t.typdefault,
        (select string_agg(pg_get_constraintdef(o.oid, true), ' ' order by o.conname) from pg_constraint o where o.contypid = t.oid)) end
  from pg_type t join here on here.oid = t.typnamespace where t.typtype in ('e', 'd')`;
