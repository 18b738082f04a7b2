/** Channel that event triggers notify after a change of the schema: triggers of the embedded server, or triggers that a user installed. */
export const SCHEMA_CHANNEL = 'mcp_schema_changed';

/**
 * SQL that creates event triggers, so that the embedded server sends a notification after each change of its schema.
 *
 * A trigger runs its function as the current role, which may be the superuser. Therefore the function is in a schema in which the
 * writer owns nothing. That schema is `information_schema`, so that the function does not appear among the user's objects.
 */
export const SCHEMA_TRIGGERS_SQL: string = `
  create or replace function information_schema.mcp_schema_changed() returns event_trigger language plpgsql as
    $$ begin notify ${SCHEMA_CHANNEL}; end $$;
  do $$ begin
    if not exists (select from pg_event_trigger where evtname = 'mcp_sql_ddl') then
      create event trigger mcp_sql_ddl on ddl_command_end execute function information_schema.mcp_schema_changed();
      create event trigger mcp_sql_drop on sql_drop execute function information_schema.mcp_schema_changed();
    end if;
  end $$;
`;
