// These statements run on the model, by its superuser or by the role that owns the copied relations.

export const RESTORE_RELATION = `
  select pg_restore_relation_stats('schemaname', $1::text, 'relname', $2::text, 'relpages', $3::int, 'reltuples', $4::real,
    'relallvisible', $5::int)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`;

// Copies the statistics of columns from rows of pg_stats of the database. Some statistics, such as the histograms of ranges, are
// not copied.
export const RESTORE_COLUMNS = `
  select pg_restore_attribute_stats('schemaname', s.schemaname, 'relname', s.tablename, 'attname', s.attname, 'inherited', s.inherited,
    'null_frac', s.null_frac, 'avg_width', s.avg_width, 'n_distinct', s.n_distinct, 'most_common_vals', s.most_common_vals,
    'most_common_freqs', s.most_common_freqs, 'histogram_bounds', s.histogram_bounds, 'correlation', s.correlation,
    'most_common_elems', s.most_common_elems, 'most_common_elem_freqs', s.most_common_elem_freqs,
    'elem_count_histogram', s.elem_count_histogram)
  from jsonb_to_recordset($1::jsonb) s (schemaname text, tablename text, attname text, inherited bool, null_frac real, avg_width int,
    n_distinct real, most_common_vals text, most_common_freqs real[], histogram_bounds text, correlation real, most_common_elems text,
    most_common_elem_freqs real[], elem_count_histogram real[])
  join pg_class c on c.relname = s.tablename join pg_namespace n on n.oid = c.relnamespace and n.nspname = s.schemaname
  join pg_attribute a on a.attrelid = c.oid and a.attname = s.attname and not a.attisdropped`;

export const RESIZE = 'update pg_class set relpages = $2, reltuples = $3 where oid = $1::regclass';

export const GRANT = `
  do $$ declare name text; begin
    for name in select quote_ident(nspname) from pg_namespace where nspowner = current_user::regrole loop
      execute 'grant usage on schema ' || name || ' to mcp_ro';
      execute 'grant select, insert, update, delete on all tables in schema ' || name || ' to mcp_ro';
    end loop;
  end $$`;

export const CANDIDATE_INDEXES = `
  with recursive tree (oid) as (
    select r.oid from pg_class r join pg_namespace n on n.oid = r.relnamespace where n.nspname = $1 and r.relname = $2
    union all
    select h.inhrelid from pg_inherits h join tree t on h.inhparent = t.oid
  )
  select c.oid::text as oid, c.relname as name from tree t join pg_class c on c.oid = t.oid`;

// The share of an index's entries that the index of a partition gets is the share of the table's rows in that partition.
export const INDEX_SHARES = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as sql,
    (greatest(t.reltuples, 1) / sum(greatest(t.reltuples, 1)) over ())::float8 as share
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace join pg_class t on t.oid = i.indrelid
  where i.indexrelid = any ($1::oid[]) and c.relkind = 'i'`;
