import { setTimeout as pause } from 'node:timers/promises';

import { Flag, Integer, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { noActivity } from './activity.ts';
import { DatabaseInput } from './database-input.ts';

export class CancelInput extends DatabaseInput {
  @Integer('Process id of the session, from activity', { min: 1 }) pid!: number;

  @OneOf(['cancel', 'terminate'], 'cancel ends its statement, terminate the whole session')
  mode: 'cancel' | 'terminate' = 'cancel';
}

/** What became of a session. */
export class CancelOutcome {
  @Flag('Not where there was no statement to cancel') signalled!: boolean;
  @Text('State in pg_stat_activity; gone, or unknown where the role may not see it') state_after!: string;
}

/** Whose sessions may be ended. */
export interface CancelScope {
  /** Those of other roles too, as far as PostgreSQL lets the role. */
  readonly cancelOthers: boolean;
}

interface Session {
  readonly state: string;
  /** The session and its statement: another one with the same process id has another. */
  readonly began: string | null;
  readonly statementBegan: string | null;
  readonly isOwn: boolean;
  readonly role: string;
}

/** The state of a session that the role may not look into. */
const HIDDEN = 'unknown';

const SIGNALS = { cancel: 'pg_cancel_backend', terminate: 'pg_terminate_backend' } as const;

/** How long the session is given to obey, and how soon it is looked at again. */
const PATIENCE_MS = 2000;
const FIRST_LOOK_MS = 5;

/**
 * Ends the statement of a session, or the session, and sees what became of it.
 *
 * @throws ToolError NOT_FOUND, PERMISSION for another role's session, UNSUPPORTED_ENGINE, and those of `Database.readOnly`
 */
export async function cancel(
  database: Database,
  input: CancelInput,
  { signal, cancelOthers }: Pick<RequestContext, 'signal'> & CancelScope,
): Promise<CancelOutcome> {
  const capabilities = await database.capabilities();
  if (!capabilities.activity) throw noActivity();
  if (!capabilities.signals) throw new ToolError('UNSUPPORTED_ENGINE', 'this server does not end sessions by process id');
  return database.readOnly({ signal, timeoutMs: database.timeoutFor(input) }, async ({ connection }) => {
    const session = await sessionOf(connection, input.pid);
    if (session === undefined)
      throw new ToolError('NOT_FOUND', `there is no session ${input.pid}`, { hint: 'activity lists them' });
    if (!session.isOwn && !cancelOthers) throw notOwn(input.pid, session);
    // With no statement to end, the signal would hit the next one.
    if (input.mode === 'cancel' && session.state !== 'active' && session.state !== HIDDEN)
      return { signalled: false, state_after: session.state };
    const [[sent] = []] = await connection.rows(
      `select ${SIGNALS[input.mode]}(pid) from pg_stat_activity where pid = $1::int and backend_start is not distinct from $2::timestamptz`,
      [String(input.pid), session.began],
    );
    return { signalled: sent === 't', state_after: await stateAfter(connection, input, { session, signal }) };
  });
}

interface Sent {
  readonly session: Session;
  readonly signal: AbortSignal;
}

async function stateAfter(connection: Connection, { pid, mode }: CancelInput, { session, signal }: Sent): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let wait = FIRST_LOOK_MS; ; wait *= 2) {
    const now = await sessionOf(connection, pid);
    if (now === undefined || now.began !== session.began) return 'gone';
    const isOver = mode === 'cancel' && (now.state !== 'active' || now.statementBegan !== session.statementBegan);
    if (isOver || performance.now() > deadline) return now.state;
    await pause(wait, undefined, { signal });
  }
}

async function sessionOf(connection: Connection, pid: number): Promise<Session | undefined> {
  // Within a transaction what was seen once is seen again, unless that is forgotten.
  await connection.rows('select pg_stat_clear_snapshot()', []);
  const [row] = await connection.rows(SESSION, [String(pid)]);
  if (row === undefined) return undefined;
  const [state, began = null, statementBegan = null, isOwn, role] = row;
  return { state: state ?? HIDDEN, began, statementBegan, isOwn: isOwn === 't', role: role ?? 'the server itself' };
}

function notOwn(pid: number, { role }: Session): ToolError {
  return new ToolError('PERMISSION', `session ${pid} belongs to ${role}`, {
    hint: 'only sessions of the own role are ended, unless the server is started with --cancel-others',
    data: { option: '--cancel-others', retryable: false },
  });
}

const SESSION = `
  select state, backend_start, query_start, usename is not distinct from current_user, usename
  from pg_stat_activity where pid = $1::int and pid <> pg_backend_pid()`;
