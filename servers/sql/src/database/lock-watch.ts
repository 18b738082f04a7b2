import { ToolError } from '@org/mcp-decorators';

import { Alarm } from './alarm.ts';
import { SendableSql } from '../policy/sendable-sql.ts';
import type { Control } from './control.ts';
import { sqlstateOf } from './failures.ts';
import { LOCK_TIMEOUT_MS } from './settings.ts';

/** Before the server gives up: only while a statement waits can it be asked for whom. */
const ASK_MS = LOCK_TIMEOUT_MS - 1000;

/** A session that holds what another waits for. */
interface Blocker {
  readonly pid: number;
  readonly role: string | null;
  /** As `pg_stat_activity` has it: `idle in transaction`. */
  readonly state: string | null;
  /** Of its transaction. */
  readonly seconds: number | null;
}

/** Finds out who holds the lock that a connection waits for, before the server gives up waiting. */
export class LockWatch implements Disposable {
  readonly #alarm: Alarm;
  #asking: Promise<readonly Blocker[]> = Promise.resolve([]);

  /** @param processId of the backend, where it can be known */
  constructor(control: Control, processId: () => number | undefined) {
    this.#alarm = new Alarm(ASK_MS, () => {
      // Who blocks is more than the call has to know.
      this.#asking = blockersOf(control, processId()).catch(() => []);
    });
  }

  /** What a statement failed with; if it waited for a lock too long, with who holds it. */
  async explained(error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || sqlstateOf(error) !== LOCK_NOT_AVAILABLE) return error;
    const blockers = await this.#asking;
    const who = blockers.map(shown).join(', ');
    return new ToolError('LOCK_TIMEOUT', `${error.message}${who === '' ? '' : `: ${who} holds the lock`}`, {
      cause: error,
      hint: 'another session holds a lock; try again when its transaction has ended, or look at activity with the view blocking_tree',
      data: { sqlstate: LOCK_NOT_AVAILABLE, blockers, retryable: true },
    });
  }

  [Symbol.dispose](): void {
    this.#alarm[Symbol.dispose]();
  }
}

/** The SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

async function blockersOf(control: Control, processId: number | undefined): Promise<readonly Blocker[]> {
  if (processId === undefined) return [];
  const [found] = await control.row(SendableSql.own(BLOCKERS), [processId]);
  const blockers: unknown = JSON.parse(found ?? '[]');
  return Array.isArray(blockers) ? blockers : [];
}

function shown({ pid, role, state, seconds }: Blocker): string {
  const facts = [role === null ? undefined : `role ${role}`, state, seconds === null ? undefined : `for ${seconds} s`];
  const known = facts.filter((fact) => fact !== undefined && fact !== null).join(', ');
  return `process ${pid}${known === '' ? '' : ` (${known})`}`;
}

const BLOCKERS = `
  select json_agg(json_build_object('pid', b.pid, 'role', a.usename, 'state', a.state,
    'seconds', round(extract(epoch from clock_timestamp() - a.xact_start))))
  from unnest(pg_blocking_pids($1)) b(pid) left join pg_stat_activity a on a.pid = b.pid`;
