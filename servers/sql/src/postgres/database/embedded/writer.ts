import { READER } from './role-sql.ts';

/** Name of the role that changes the embedded server's data. */
export const WRITER = 'mcp_rw';

/** SQL that disables the writer role in a data directory that was writable before. */
export const NO_WRITER_SQL: string = `
  do $$ begin
    if exists (select from pg_roles where rolname = '${WRITER}') then
      alter role ${WRITER} nologin;
      revoke pg_read_all_stats from ${READER};
    end if;
  end $$;
`;

/**
 * Returns SQL that creates the writer role, or changes its password. The writer becomes the owner of user objects, and the reader
 * may read the objects that the writer creates. The writer is not a superuser, so it can neither read files nor run programs on
 * this machine. The reader may see the progress of the writer's statements.
 */
export function writerSql(password: string): string {
  return `
    do $$
    declare command text;
    begin
      if not exists (select from pg_roles where rolname = '${WRITER}') then
        create role ${WRITER};
      end if;
      execute format('grant create, temporary on database %I to ${WRITER}', current_database());
      for command in ${OWNERSHIP_COMMANDS} loop
        execute command;
      end loop;
    end $$;
    alter role ${WRITER} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
    alter default privileges for role ${WRITER} grant usage on schemas to ${READER};
    alter default privileges for role ${WRITER} grant select on tables to ${READER};
    grant pg_read_all_stats to ${READER};
  `;
}

/**
 * Query for the commands that make the writer the owner of user objects: schemas, tables, views, sequences, types, and routines
 * other than aggregates. Sequences of columns follow their tables. Objects of extensions keep their owner. Further commands let
 * the reader use the schemas, and give the writer the search path of the reader.
 */
const OWNERSHIP_COMMANDS = `
  with schemas as (
    select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  ), dependent as (
    select classid, objid from pg_depend where deptype in ('a', 'i', 'e')
  )
  select unnest(array[format('alter schema %I owner to ${WRITER}', nspname), format('grant usage on schema %I to ${READER}', nspname)])
  from schemas
  union all
  select format('alter %s %s owner to ${WRITER}',
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
  from pg_class c join schemas s on s.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S') and ('pg_class'::regclass, c.oid) not in (select * from dependent)
  union all
  select format('alter %s %s owner to ${WRITER}', case typtype when 'd' then 'domain' else 'type' end, t.oid::regtype)
  from pg_type t join schemas s on s.oid = typnamespace left join pg_class c on c.oid = typrelid
  where (typtype in ('d', 'e', 'r') or c.relkind = 'c') and ('pg_type'::regclass, t.oid) not in (select * from dependent)
  union all
  select format('alter routine %s owner to ${WRITER}', p.oid::regprocedure)
  from pg_proc p join schemas s on s.oid = pronamespace
  where prokind <> 'a' and ('pg_proc'::regclass, p.oid) not in (select * from dependent)
  union all
  select format('alter role ${WRITER} set search_path = %s', substr(setting, 13))
  from pg_db_role_setting, unnest(setconfig) setting where setrole = '${READER}'::regrole and setting like 'search_path=%'`;
