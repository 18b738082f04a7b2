import type { ReadOnlyDatabase } from '../../database/query/read-only-database.ts';

/**
 * A type, relation or function that contains values of another type. A relation or function has the kind `row` if its row type
 * contains the values. The kind is `column` if the type of a column contains the values.
 */
export interface TypeHolder {
  readonly kind: 'type' | 'row' | 'column';
  readonly schema: string;
  readonly name: string;
  /** OID of the contained type. */
  readonly type: string;
}

/** Finds the arrays, ranges, domains and rows that contain one of the given types, at any depth. The given types are also returned. */
export async function findHolders(types: readonly string[], database: ReadOnlyDatabase): Promise<readonly TypeHolder[]> {
  if (types.length === 0) return [];
  const context = { signal: new AbortController().signal };
  const holders = new Map<string, string[]>();
  for (const [held, holder] of await database.rows(CONTAINS, [], context)) {
    const others = holders.get(held ?? '');
    if (others === undefined) holders.set(held ?? '', [holder ?? '']);
    else others.push(holder ?? '');
  }
  const reached = new Map(types.map((type) => [type, collectHolders(type, holders)]));
  const all = new Set(Array.from(reached.values(), (found) => [...found]).flat());
  const named = await database.rows(NAMES, [`{${[...all].join(',')}}`], context);
  return [...reached].flatMap(([type, found]) =>
    named
      .filter(([oid]) => found.has(oid ?? ''))
      .map(([, kind, schema, name]) => ({
        kind: kind === 'row' || kind === 'column' ? kind : 'type',
        schema: schema ?? '',
        name: name ?? '',
        type,
      })),
  );
}

/** Returns a type and all types that contain the type. */
function collectHolders(type: string, holders: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set([type]);
  for (const each of found) for (const holder of holders.get(each) ?? []) found.add(holder);
  return found;
}

// Only user-defined types are listed, because built-in types do not contain user-defined types. Older servers lack the column for
// multiranges, so the column is read through `to_jsonb`.
const CONTAINS = `
  select typelem, oid from pg_type where typelem >= 16384
  union all
  select typbasetype, oid from pg_type where typbasetype >= 16384
  union all
  select a.atttypid, c.reltype from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.atttypid >= 16384 and a.attnum > 0 and not a.attisdropped and c.reltype <> 0
  union all
  select rngsubtype, rngtypid from pg_range where rngsubtype >= 16384
  union all
  select rngtypid, (to_jsonb(r)->>'rngmultitypid')::oid from pg_range r where rngsubtype >= 16384`;

// In an expression with a value of a domain, PostgreSQL converts a text to the base type of the domain, without the domain's
// checks. Therefore `bases` begins only with types that are not domains.
const NAMES = `
  with recursive bases(oid, base) as (
    select oid, oid from pg_type where oid = any($1::oid[]) and typtype <> 'd'
    union
    select t.oid, b.base from bases b join pg_type t on t.typbasetype = b.oid and t.typtype = 'd')
  select t.oid, 'type', n.nspname, t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.oid = any($1::oid[])
  union all
  select c.reltype, 'row', n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.reltype = any($1::oid[])
  union all
  select p.prorettype, 'row', n.nspname, p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prorettype = any($1::oid[])
  union all
  select b.base, 'column', n.nspname, c.relname from bases b join pg_attribute a on a.atttypid = b.oid and a.attnum > 0
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  union all
  select b.base, 'column', n.nspname, p.proname from bases b join pg_proc p on p.prorettype = b.oid or b.oid = any(p.proallargtypes)
    join pg_namespace n on n.oid = p.pronamespace`;
