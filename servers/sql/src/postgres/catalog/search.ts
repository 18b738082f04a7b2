import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { OBJECT_KINDS, type FoundObject, type Search } from '../../catalog/found-object.ts';
import type { ReadOnlyDatabase } from '../database/query/read-only-database.ts';
import { NAMED_TYPE, BELONGS_TO_TYPE, RELATION_KIND } from './find-object.ts';
import { parseJsonStrings } from './json-strings.ts';

/**
 * Finds objects by name or comment, best match first, with one query. Objects found by their comments alone come last.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid cursor
 */
export async function searchCatalog(
  database: ReadOnlyDatabase,
  search: Search,
  context: RequestContext,
): Promise<readonly FoundObject[]> {
  const { pattern, kinds, schema, limit, detail, cursor } = search;
  const after = cursor === undefined ? START_KEYS : decodeCursor(cursor);
  const found = [toArray(spell(likePattern(pattern))), pattern, `{${kinds.join(',')}}`, schema ?? null, String(limit), detail];
  const params = [...found, ...after, commentPatterns(pattern)];
  const rows = await database.rows(OBJECTS, params, context);
  return rows.map(([nspname, name, kind, text, comment, estimate, columns, ...keys]) => ({
    schema: nspname ?? '',
    name: name ?? '',
    kind: kind ?? '',
    detail: text ?? undefined,
    comment: comment ?? undefined,
    estimatedRows: typeof estimate === 'string' ? Number(estimate) : undefined,
    columns: parseJsonStrings(columns),
    cursor: Buffer.from(JSON.stringify([...keys.slice(0, 3), name, nspname, ...keys.slice(3)])).toString('base64url'),
  }));
}

/** Pattern for a decoded cursor: a JSON array of seven strings, which contain three numbers, two names, an OID and a number. */
const CURSOR = /^\["[012]","\d{1,2}","\d{1,3}",(?:"(?:[^"\\\p{Cc}]|\\["\\bfnrt]|\\u[0-9a-f]{4})*",){2}"\d{1,10}","\d{1,4}"\]$/u;

/** Sort keys that precede the keys of all objects. */
const START_KEYS = ['-1', '0', '0', '', '', '0', '0'];

function decodeCursor(cursor: string): readonly string[] {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (CURSOR.test(text)) return parseJsonStrings(text);
  throw new ToolError('INVALID_ARGUMENTS', 'the cursor was not returned by this search', {
    hint: 'search again without a cursor',
  });
}

function likePattern(pattern: string): string {
  const escaped = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return /[*?]/.test(pattern) ? escaped.replaceAll('*', '%').replaceAll('?', '_') : `%${escaped}%`;
}

/** Returns the ILIKE patterns for comments as a PostgreSQL array, or `null` if the pattern would match every comment. */
function commentPatterns(pattern: string): string | null {
  const words = pattern.replaceAll(/^[*? ]+|[*? ]+$/g, '');
  return words === '' ? null : toArray(spell(`%${likePattern(words).replaceAll(/^%|%$/g, '')}%`));
}

/**
 * Returns the spellings of a pattern with letters outside ASCII: unchanged, in lower case, in upper case, and with a first
 * capital. ILIKE folds only ASCII letters in the locale C. Returns any other pattern alone.
 */
function spell(pattern: string): readonly string[] {
  if (!/\P{ASCII}/u.test(pattern)) return [pattern];
  const lower = pattern.toLowerCase();
  return [...new Set([pattern, lower, pattern.toUpperCase(), lower.replace(/\p{L}/u, (letter) => letter.toUpperCase())])];
}

function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}

/** Query of all objects that a search can find. A row has the catalog and the OID of the object, and the number of a column. */
const CANDIDATES = `
    select n.nspname, n.nspname, 'schema', 'pg_namespace', n.oid, 0 from pg_namespace n
    union all
    select n.nspname, c.relname, ${RELATION_KIND}, 'pg_class', c.oid, 0
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I')
    union all
    select n.nspname, a.attname, 'column', 'pg_class', c.oid, a.attnum
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select n.nspname, p.proname, 'function', 'pg_proc', p.oid, 0 from pg_proc p join pg_namespace n on n.oid = p.pronamespace where not ${BELONGS_TO_TYPE}
    union all
    select n.nspname, t.typname, 'type', 'pg_type', t.oid, 0
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype <> 'm' and ${NAMED_TYPE}
    union all
    select n.nspname, o.conname, 'constraint', 'pg_constraint', o.oid, 0
    from pg_constraint o join pg_namespace n on n.oid = o.connamespace where o.conrelid <> 0 and o.contype <> 'n'
    union all
    select n.nspname, g.tgname, 'trigger', 'pg_trigger', g.oid, 0
    from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal`;

const DETAIL = `
  case f.kind
    when 'column' then 'of ' || f.oid::regclass || ', ' || (
      select format_type(a.atttypid, a.atttypmod) from pg_attribute a where a.attrelid = f.oid and a.attnum = f.number)
    when 'index' then 'on ' || (select i.indrelid::regclass from pg_index i where i.indexrelid = f.oid)
    when 'trigger' then 'on ' || (select g.tgrelid::regclass from pg_trigger g where g.oid = f.oid)
    when 'constraint' then 'on ' || (select o.conrelid::regclass from pg_constraint o where o.oid = f.oid)
    when 'table' then 'partition of ' || (select i.inhparent::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhrelid = f.oid and c.relispartition)
    when 'function' then '(' || pg_get_function_arguments(f.oid) || ')' || coalesce(' returns ' || pg_get_function_result(f.oid), '')
  end`;

const COMMENT = `case when f.number > 0 then col_description(f.oid, f.number) else obj_description(f.oid, f.catalog) end`;

const ESTIMATE = `(select c.reltuples::bigint from pg_class c where f.catalog = 'pg_class' and f.number = 0 and c.oid = f.oid
    and c.relkind in ('r', 'm', 'f') and c.reltuples >= 0)`;

const COLUMNS = `(select json_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end order by a.attnum)
    from pg_attribute a where f.catalog = 'pg_class' and f.kind not in ('index', 'sequence', 'column') and a.attrelid = f.oid
    and a.attnum > 0 and not a.attisdropped)`;

// The details are computed only for the objects of the page.
const OBJECTS = `
  with candidates (nspname, name, kind, catalog, oid, number) as (${CANDIDATES}
  ), found as (
    select c.*, case when lower(c.name) = lower($2) then 0 when c.name ilike any ($1::text[]) then 1 else 2 end as inexact,
      array_position(array['${OBJECT_KINDS.join("','")}'], c.kind) as place,
      case when $14::text[] is null then 0 else length(c.name) end as length
    from candidates c left join pg_description d on d.objoid = c.oid and d.objsubid = c.number and d.classoid = ('pg_catalog.' || c.catalog)::regclass
    where (c.name ilike any ($1::text[]) or d.description ilike any ($14::text[])) and c.kind = any ($3::text[])
      and case when $4::text is null
        then c.nspname not in ('pg_catalog', 'information_schema') and c.nspname not like 'pg\\_toast%' and c.nspname not like 'pg\\_temp%'
        else c.nspname = $4 end
  ), page as (
    select * from found f
    where (f.inexact, f.place, f.length, f.name collate "C", f.nspname collate "C", f.oid::bigint, f.number)
      > ($7::int, $8::int, $9::int, $10::text collate "C", $11::text collate "C", $12::bigint, $13::int)
    order by f.inexact, f.place, f.length, f.name collate "C", f.nspname collate "C", f.oid::bigint, f.number
    limit $5::int
  )
  select f.nspname, f.name, f.kind, case when $6 <> 'names' then ${DETAIL} end, case when $6 <> 'names' then ${COMMENT} end,
    case when $6 = 'full' then ${ESTIMATE} end, case when $6 = 'full' then ${COLUMNS} end,
    f.inexact, f.place, f.length, f.oid, f.number
  from page f
  order by f.inexact, f.place, f.length, f.name collate "C", f.nspname collate "C", f.oid::bigint, f.number`;
