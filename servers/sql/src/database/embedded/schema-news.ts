import { SCHEMA_CHANNEL } from '../schema-listener.ts';

/**
 * Has the embedded server tell of changes of its schema at once.
 *
 * The function lies where nobody looks for things of his own, and where the writer owns nothing: what fires the trigger runs it as
 * himself, be he the superuser.
 */
export const SCHEMA_NEWS_SQL: string = `
  create or replace function information_schema.mcp_schema_changed() returns event_trigger language plpgsql as
    $$ begin notify ${SCHEMA_CHANNEL}; end $$;
  do $$ begin
    if not exists (select from pg_event_trigger where evtname = 'mcp_sql_ddl') then
      create event trigger mcp_sql_ddl on ddl_command_end execute function information_schema.mcp_schema_changed();
      create event trigger mcp_sql_drop on sql_drop execute function information_schema.mcp_schema_changed();
    end if;
  end $$;
`;
