import { READER } from '../role-sql.ts';

/** The role that changes the embedded server's data. */
export const WRITER = 'mcp_rw';

/** A data directory that was writable before is not any more. */
export const NO_WRITER_SQL: string = `
  do $$ begin
    if exists (select from pg_roles where rolname = '${WRITER}') then
      alter role ${WRITER} nologin;
      revoke pg_read_all_stats from ${READER};
    end if;
  end $$;
`;

/**
 * Makes the writer, or gives it a new password. It owns all that there is, and what it makes the reader may read; it is no superuser,
 * so that it can neither read files of this machine nor run programs on it. The reader may see how far its statements are.
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
      for command in ${HANDING_OVER} loop
        execute command;
      end loop;
    end $$;
    alter role ${WRITER} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
    alter default privileges for role ${WRITER} grant usage on schemas to ${READER};
    alter default privileges for role ${WRITER} grant select on tables to ${READER};
    grant pg_read_all_stats to ${READER};
  `;
}

/** Hands what is not the system's over to the writer; sequences of columns go with their tables, what is of an extension stays its own. */
const HANDING_OVER = `
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
