import { ToolError } from '@org/mcp-decorators';

import type { Connection } from './connection.ts';

/** What database this is, and as whom it is read. */
export interface Identity {
  /** The database's name, by which resources name it. */
  readonly database: string;
  readonly engine: string;
  readonly version: string;
  readonly role: string;
  /** What the role could do that a read-only transaction does not prevent. */
  readonly privileges: readonly string[];
}

export async function identityOf(connection: Connection): Promise<Identity> {
  const [row = []] = await connection.rows(IDENTITY, []);
  const [database, version, role, ...privileges] = row;
  return {
    database: database ?? '',
    engine: 'PostgreSQL',
    version: version ?? '',
    role: role ?? '',
    privileges: PRIVILEGES.filter((_, index) => privileges[index] === 't').map(([name]) => name),
  };
}

/** @throws ToolError POLICY_DENIED */
export function requireUnprivileged({ role, privileges }: Identity): void {
  if (privileges.length === 0) return;
  throw new ToolError('POLICY_DENIED', `the role ${role} is not fit for reading only: ${privileges.join(', ')}`, {
    hint: 'connect as a role without these privileges, such as mcp-sql --print-role-sql makes, or start the server with --allow-privileged-role',
    data: { rule: 'privileged-role', name: role, option: '--allow-privileged-role' },
  });
}

const PRIVILEGES = [
  ['superuser', 'rolsuper'],
  ['bypasses row security', 'rolbypassrls'],
  ['reads server files', memberOf('pg_read_server_files')],
  ['writes server files', memberOf('pg_write_server_files')],
  ['runs server programs', memberOf('pg_execute_server_program')],
] as const;

const IDENTITY = `
  select current_database(), current_setting('server_version'), rolname, ${PRIVILEGES.map(([, test]) => test).join(', ')}
  from pg_roles where rolname = current_user`;

// By way of the catalog: not every engine that speaks PostgreSQL has these roles.
function memberOf(role: string): string {
  return `exists (select from pg_roles g where g.rolname = '${role}' and pg_has_role(current_user, g.oid, 'member'))`;
}
