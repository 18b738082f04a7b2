import { READER } from './reader.ts';

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
    declare each record;
    begin
      if not exists (select from pg_roles where rolname = '${WRITER}') then
        create role ${WRITER} login;
      end if;
      alter role ${WRITER} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
      execute format('grant create, temporary on database %I to ${WRITER}', current_database());
      for each in
        select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
      loop
        execute format('alter schema %I owner to ${WRITER}', each.nspname);
        execute format('grant usage on schema %I to ${READER}', each.nspname);
      end loop;
      for each in
        select c.oid::regclass as name, case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'S')
          and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e') and c.relkind = 'S')
          and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      loop
        execute format('alter %s %s owner to ${WRITER}', each.kind, each.name);
      end loop;
      for each in
        select t.oid::regtype as name, case t.typtype when 'd' then 'domain' else 'type' end as kind
        from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and t.typelem = 0
          and (t.typtype in ('d', 'e', 'r') or c.relkind = 'c')
          and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
      loop
        execute format('alter %s %s owner to ${WRITER}', each.kind, each.name);
      end loop;
      for each in
        select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and p.prokind <> 'a'
          and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      loop
        execute format('alter routine %s owner to ${WRITER}', each.name);
      end loop;
    end $$;
    alter default privileges for role ${WRITER} grant usage on schemas to ${READER};
    alter default privileges for role ${WRITER} grant select on tables to ${READER};
    grant pg_read_all_stats to ${READER};
    do $$ declare path text; begin
      select substr(setting, 13) into path
      from pg_db_role_setting s, unnest(s.setconfig) setting
      where s.setrole = '${READER}'::regrole and setting like 'search_path=%';
      if path is not null then execute format('alter role ${WRITER} set search_path = %s', path); end if;
    end $$;
  `;
}
