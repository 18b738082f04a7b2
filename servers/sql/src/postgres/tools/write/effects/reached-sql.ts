import { READS_ANY_TYPE_NAMES, RUNS_SQL_NAMES } from '../../../policy/functions/known-functions.ts';

/** Pattern for libraries of extensions. Functions from these libraries only compute, unless they are volatile. */
export const COMPUTING_LIBRARIES: string = `^(?:[$]libdir/)?(${[
  'citext|hstore|ltree|pg_trgm|_int|cube|seg|isn|earthdistance|fuzzystrmatch|unaccent|bloom|btree_gin|btree_gist',
  'pgcrypto|uuid-ossp|tablefunc|vector|postgis-3',
].join('|')})$`;

/**
 * Pattern for built-in functions that are not volatile, but run a text as SQL, or run the input function of any type. For example,
 * `pg_input_is_valid('1', 'a_domain')` runs the check of the domain.
 */
export const INDIRECT_FUNCTIONS: string = `^(${RUNS_SQL_NAMES}|ts_rewrite|satisfies_hash_partition|${READS_ANY_TYPE_NAMES})$`;

/** Pattern for built-in trigger functions that change only the row itself, or rows related by foreign keys. */
const SYSTEM_TRIGGERS =
  '^(RI_FKey_\\w+|unique_key_recheck|suppress_redundant_updates_trigger|tsvector_update_trigger(_column)?)$';

// Patterns for the OIDs of functions, operators and types in a stored expression.
const FUNCTION_IN = ':(?:funcid|opfuncid|aggfnoid|winfnoid|tsmhandler|startInRangeFunc|endInRangeFunc) (\\d+)';
const OPERATOR_IN = ':(?:opno|eqop|sortop) (\\d+)';
const TYPE_IN = ':\\w*[Tt]yp\\w* (\\d+)';
const TYPES_IN = ':\\w*[Tt]ypes \\(o ([\\d ]+)\\)';

const matches = (tree: string, pattern: string): string => `regexp_matches(${tree}, '${pattern}', 'g') as m(found)`;

/** Returns an SQL condition: whether an operand in the statement may have this type. True for built-in types, for types in `operands`, and for arrays of these types. */
const isOperand = (type: string): string => `(${type} < 16384 or exists (
      select from pg_type t where t.oid = ${type} and (t.oid in (select oid from operands) or (t.typelem <> 0 and t.typelem in (select oid from operands)))))`;

const CALLS = `
  calls as (select * from json_to_recordset($1::json -> 'calls') as c(kind text, schema text, name text, arguments int))`;

/**
 * Relations that the statement reads or writes: named relations, their children, relations of views, and relations that cascading
 * foreign keys change.
 *
 * The planner overestimates the number of rows of these expressions. Therefore `offset 0` and subqueries that return one value make
 * the planner use an index, instead of reading the whole catalog.
 */
const RELATIONS = `
  written as (
    select * from json_to_recordset($1::json -> 'relations')
      as r(names json, uncertain boolean, events int, defaults boolean, given text[], given_first int)),
  named as (
    select to_regclass(name)::oid as relid, r.events, r.defaults, r.given, r.given_first
    from written r cross join json_array_elements_text(r.names) name),
  relations(relid, events, defaults, given, given_first, way, as_caller) as (
    select relid, events, defaults, given, given_first, 'named', true from named where relid is not null
    union
    select step.relid, step.events, step.defaults, '{}'::text[], 0, step.way, step.as_caller
    from relations r cross join lateral (
      select i.inhrelid, case when r.events & 16 <> 0 and c.relispartition then r.events | 28 else r.events end, false,
        case r.way when 'view' then 'view' else 'part' end, r.as_caller
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = r.relid
      union all
      select m.found[1]::oid, r.events, r.defaults, 'view', false
      from pg_rewrite w join pg_class v on v.oid = w.ev_class and v.relkind = 'v',
        ${matches('w.ev_action::text', ':relid (\\d+)')}
      where w.ev_class = r.relid and m.found[1]::oid <> r.relid
      union all
      select k.conrelid,
        case when r.events & 8 <> 0 and k.confdeltype = 'c' then 8 else 0 end
          | case when (r.events & 8 <> 0 and k.confdeltype in ('n', 'd')) or (r.events & 16 <> 0 and k.confupdtype in ('c', 'n', 'd'))
            then 16 else 0 end,
        (r.events & 8 <> 0 and k.confdeltype = 'd') or (r.events & 16 <> 0 and k.confupdtype = 'd'), 'cascade', r.as_caller
      from pg_constraint k
      where k.contype = 'f' and k.confrelid = r.relid
        and ((r.events & 8 <> 0 and k.confdeltype in ('c', 'n', 'd')) or (r.events & 16 <> 0 and k.confupdtype in ('c', 'n', 'd')))
    ) step(relid, events, defaults, way, as_caller)),
  partitioned(relid) as (
    select relid from relations
    union
    select i.inhparent from partitioned p join pg_inherits i on i.inhrelid = p.relid join pg_class c on c.oid = i.inhrelid
    where c.relispartition),
  columns as (
    select distinct r.relid, a.attname, a.attnum, a.atttypid, a.attgenerated <> '' as generated, a.attidentity <> '' as numbered,
      r.defaults and a.attname <> all (r.given) and r.given_first < (
        select count(*) from pg_attribute b
        where b.attrelid = r.relid and b.attnum between 1 and a.attnum and not b.attisdropped) as defaulted
    from relations r cross join lateral (
      select * from pg_attribute a where a.attrelid = r.relid and a.attnum > 0 and not a.attisdropped offset 0) a)`;

/** Stored expressions of relations and domains that PostgreSQL may evaluate. */
const TREES = `
  relation_trees(tree, place) as (
    select d.adbin::text, 'column ' || quote_ident(c.attname) || ' of ' || c.relid::regclass
    from columns c join pg_attrdef d on d.adrelid = c.relid and d.adnum = c.attnum where c.generated or c.defaulted
    union all
    select k.conbin::text, 'constraint ' || quote_ident(k.conname) || ' of ' || k.conrelid::regclass
    from pg_constraint k where k.contype = 'c' and k.conrelid in (select relid from relations)
    union all
    select concat(i.indexprs::text, i.indpred::text), 'index ' || i.indexrelid::regclass
    from pg_index i where i.indrelid in (select relid from relations)
    union all
    select p.partexprs::text, 'partition key of ' || p.partrelid::regclass
    from pg_partitioned_table p where p.partrelid in (select relid from partitioned)
    union all
    select concat(p.polqual::text, p.polwithcheck::text), 'policy ' || quote_ident(p.polname) || ' of ' || p.polrelid::regclass
    from pg_policy p join pg_class c on c.oid = p.polrelid and c.relrowsecurity
    where exists (select from relations r where r.relid = c.oid and (not r.as_caller or row_security_active(c.oid)))
    union all
    select t.tgqual::text, 'trigger ' || quote_ident(t.tgname) || ' of ' || t.tgrelid::regclass
    from pg_trigger t where t.tgrelid in (select relid from relations)
    union all
    select w.ev_action::text, 'view ' || w.ev_class::regclass
    from pg_rewrite w join pg_class v on v.oid = w.ev_class and v.relkind = 'v' where w.ev_class in (select relid from relations)),
  types(oid) as (
    select atttypid from columns
    union
    select t.oid from calls c join pg_type t on t.typname = c.name and c.kind in ('type', 'function')
      join pg_namespace n on n.oid = t.typnamespace and n.nspname = coalesce(c.schema, n.nspname)
    union
    select m.found[1]::oid from relation_trees, ${matches('tree', TYPE_IN)}
    union
    select number::oid from relation_trees, ${matches('tree', TYPES_IN)}, unnest(string_to_array(trim(m.found[1]), ' ')) number
    union
    select step.oid from types cross join lateral (
      select unnest(array[t.typbasetype, t.typelem]) from pg_type t where t.oid = types.oid
      union all select a.atttypid from pg_type t join pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        where t.oid = types.oid and t.typrelid <> 0
      union all select g.rngsubtype from pg_range g where g.rngtypid = types.oid
      union all select g.rngtypid from pg_range g where to_jsonb(g) ->> 'rngmultitypid' = types.oid::text
      union all select m.found[1]::oid from pg_constraint k, ${matches('k.conbin::text', TYPE_IN)}
        where k.contypid = types.oid and types.oid <> 0
    ) step(oid) where step.oid <> 0),
  trees(tree, place) as (
    select tree, place from relation_trees where tree <> ''
    union all
    select k.conbin::text, 'domain ' || k.contypid::regtype from pg_constraint k where k.contypid <> 0 and k.contypid in (select oid from types)
    union all
    select t.typdefaultbin::text, 'domain ' || t.oid::regtype
    from pg_type t where t.typdefaultbin is not null and t.oid in (select oid from types))`;

/** Functions that the statement calls by name, in stored expressions, or because of user-defined types. */
const FUNCTIONS = `
  user_types as (select t.* from types join pg_type t on t.oid = types.oid and t.oid >= 16384),
  families as (
    select o.opcfamily from pg_opclass o where o.opcintype in (select oid from user_types)
    union
    select o.opcfamily from pg_index i cross join unnest(i.indclass) class join pg_opclass o on o.oid = class
    where i.indrelid in (select relid from relations)
    union
    select o.opcfamily from pg_partitioned_table p cross join unnest(p.partclass) class join pg_opclass o on o.oid = class
    where p.partrelid in (select relid from partitioned)),
  operands(oid) as (
    select oid from types
    union
    select reltype from pg_class where oid in (select relid from relations)
    union
    select p.prorettype from calls c join pg_proc p on c.kind = 'function' and p.proname = c.name
    union
    select casttarget from pg_cast where castcontext = 'i' and castsource < 16384),
  operators(oid, place) as (
    select o.oid, 'operator ' || o.oprname from calls c join pg_operator o on c.kind = 'operator' and o.oprname = c.name
      join pg_namespace n on n.oid = o.oprnamespace and n.nspname = coalesce(c.schema, n.nspname)
    where (${isOperand('o.oprleft')} and ${isOperand('o.oprright')})
      or not exists (select from pg_operator b where b.oid < 16384 and b.oprname = o.oprname)
    union all
    select m.found[1]::oid, place from trees, ${matches('tree', OPERATOR_IN)}
    union all
    select number::oid, place from trees, ${matches('tree', ':opnos \\(o ([\\d ]+)\\)')}, unnest(string_to_array(trim(m.found[1]), ' ')) number
    union all
    select a.amopopr, 'an operator class' from pg_amop a where a.amopfamily in (select opcfamily from families)
    union all
    select operator, 'constraint ' || quote_ident(k.conname) from pg_constraint k
      cross join unnest(k.conpfeqop || k.conppeqop || k.conffeqop || k.conexclop) operator
    where k.conrelid in (select relid from relations) or k.confrelid in (select relid from relations)),
  functions(oid, indirect, place) as (
    select p.oid, true, '' from calls c join pg_proc p on c.kind = 'function' and p.proname = c.name
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = coalesce(c.schema, n.nspname)
    where coalesce(c.arguments, p.pronargs) >= p.pronargs - p.pronargdefaults - (p.provariadic <> 0)::int
      and (p.provariadic <> 0 or coalesce(c.arguments, p.pronargs) <= p.pronargs)
    union all
    select m.found[1]::oid, true, place from trees, ${matches('tree', FUNCTION_IN)}
    union all
    select (select o.oprcode::oid from pg_operator o where o.oid = operators.oid), false, place from operators
    union all
    select a.amproc::oid, false, 'an operator class' from pg_amproc a where a.amprocfamily in (select opcfamily from families)
    union all
    select f, false, 'type ' || t.oid::regtype from user_types t cross join unnest(array[t.typinput, t.typoutput]::oid[]) f
    union all
    select f, false, 'type ' || g.rngtypid::regtype from pg_range g cross join unnest(array[g.rngcanonical, g.rngsubdiff]::oid[]) f
    where g.rngtypid in (select oid from types)
    union all
    select c.castfunc, false, 'cast from ' || c.castsource::regtype || ' to ' || c.casttarget::regtype from pg_cast c
    where c.castsource in (select oid from user_types) or c.casttarget in (select oid from user_types)
      or (c.castsource < 16384 and c.casttarget < 16384))`;

/**
 * Functions with effects that a rollback may not undo, including the support functions of aggregates. `parseReached` decides
 * about volatile functions of PostgreSQL or of a known library.
 */
const SUSPECTS = `
  steps(oid, indirect, place) as (
    select oid, indirect, place from functions
    union all
    select step, false, f.place from functions f join pg_aggregate a on a.aggfnoid = f.oid
      cross join unnest(array[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn,
        aggmfinalfn]::oid[]) step),
  suspects as (
    select distinct 'function' as kind, p.oid::regprocedure::text as name, f.place, p.proname::text as called,
      case when p.oid < 16384 then 'pg_catalog' else coalesce(substring(p.probin from $2), '') end as library
    from steps f join pg_proc p on p.oid = f.oid join pg_language l on l.oid = p.prolang
    where p.prokind <> 'a' and (p.provolatile = 'v' or (f.indirect and p.proname ~ $3) or not (
      p.oid < 16384 and l.lanname in ('internal', 'c', 'sql')
      or l.lanname = 'c' and p.probin ~ $2
      or l.lanname = 'internal' and exists (
        select from pg_proc b where b.oid < 16384 and b.prolang = p.prolang and b.prosrc = p.prosrc and b.provolatile <> 'v'))))`;

/**
 * SQL condition for the relations of PostgreSQL itself. A comparison of OIDs would be wrong: the sample of the embedded server has
 * low OIDs, because initdb's session creates it.
 */
const IS_CATALOG =
  "c.relnamespace in (select oid from pg_namespace where nspname in ('pg_catalog', 'pg_toast', 'information_schema'))";

/**
 * Objects with effects that a rollback may not undo: functions, triggers, rules, foreign and system tables, access methods and
 * sequences. Also reports names that were not found (`unknown`) and catalogs without stored expressions (`blind`).
 */
const OBJECTS = `
  select kind, name, place, called, library from suspects
  union all
  select 'trigger', quote_ident(t.tgname), t.tgrelid::regclass::text, '', ''
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where t.tgenabled <> 'D' and not (p.oid < 16384 and p.proname ~ '${SYSTEM_TRIGGERS}')
    and exists (select from relations r where r.relid = t.tgrelid and r.events & t.tgtype & 28 <> 0)
  union all
  select 'rule', quote_ident(w.rulename), w.ev_class::regclass::text, '', ''
  from pg_rewrite w join relations r on r.relid = w.ev_class
  where w.ev_enabled <> 'D' and r.events & (case w.ev_type when '2' then 16 when '3' then 4 when '4' then 8 else 0 end) <> 0
  union all
  select case when c.relkind = 'f' then 'foreign' when ${IS_CATALOG} then 'system' else 'storage' end, c.oid::regclass::text, '', '', ''
  from pg_class c
  where exists (select from relations r where r.relid = c.oid and (
    c.relkind = 'f' or (${IS_CATALOG} and r.events <> 0) or (c.relkind in ('r', 'p', 'm') and c.relam >= 16384)))
  union all
  select 'storage', c.oid::regclass::text, '', '', ''
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam join pg_proc p on p.oid = a.amhandler
  where i.indrelid in (select relid from relations) and a.oid >= 16384 and coalesce(p.probin !~ $2, true)
  union all
  select 'sequence', quote_ident(attname), relid::regclass::text, '', '' from columns where numbered and defaulted
  union all
  select 'unknown', names ->> 0, '', '', '' from written
  where uncertain and not exists (select from json_array_elements_text(names) name where to_regclass(name) is not null)
  union all
  select 'blind', '', '', '', ''
  where not exists (
    select from pg_rewrite w where w.ev_class = 'pg_catalog.pg_settings'::regclass and w.ev_action::text ~ '${FUNCTION_IN}')`;

/**
 * Tables to lock, because another session could create a trigger, rule or partition before the statement runs. `unlockable`
 * reports tables that the role may not lock.
 */
const LOCKS = `
  select distinct case when has_table_privilege(c.oid, 'insert, update, delete, truncate') then 'lock' else 'unlockable' end,
    c.oid::regclass::text, '', '', ''
  from relations r join pg_class c on c.oid = r.relid
  where r.events <> 0 and c.relkind in ('r', 'p') and case r.way
    when 'named' then c.relhassubclass or has_table_privilege(c.oid, 'insert, update, delete, truncate')
    when 'cascade' then true
    when 'view' then c.relhassubclass end`;

/**
 * Finds the effects of a statement that a rollback may not undo, and the tables to lock. The columns are kind, name, place, and the
 * bare name and library of a function. The parameters are the named objects as JSON, `COMPUTING_LIBRARIES` and
 * `INDIRECT_FUNCTIONS`.
 */
export const REACHED: string = `with recursive ${[CALLS, RELATIONS, TREES, FUNCTIONS, SUSPECTS].join(',')} ${OBJECTS} union all ${LOCKS}`;
