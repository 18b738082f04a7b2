import type { Capabilities } from './capabilities.ts';
import { SendableSql } from '../policy/sendable-sql.ts';
import type { Control } from './control.ts';
import { progressRows, STEP_COLUMNS, stepOf, type CommandStep } from './progress-views.ts';

/** What a backend is doing. */
export interface BackendState {
  /** What it waits for, `IO DataFileRead`; nothing while it computes. */
  readonly waiting: string | undefined;
  /** Parallel workers. */
  readonly workers: number;
  readonly temporaryBytes: number;
  /** How far its command is, if that is one that tells. */
  readonly step: CommandStep | undefined;
}

/** Asks what a backend is doing, as far as the server and the role can tell; 0.6–2 ms. */
export async function backendState(control: Control, processId: number, can: Capabilities): Promise<BackendState> {
  const [type, event, workers, temporary, ...step] = await control.row(SendableSql.own(stateQuery(can)), [processId]);
  return {
    waiting: typeof type === 'string' && typeof event === 'string' ? `${type} ${event}` : undefined,
    workers: Number(workers ?? 0),
    temporaryBytes: Number(temporary ?? 0),
    step: stepOf(step),
  };
}

function stateQuery({ activity, workers, temporaryFiles, progress }: Capabilities): string {
  const files = "(select sum(size) from pg_ls_tmpdir() where name like 'pgsql_tmp' || me.pid || '.%')";
  return `
    select ${activity ? 'a.wait_event_type, a.wait_event' : 'null, null'},
      ${workers ? '(select count(*) from pg_stat_activity w where w.leader_pid = me.pid and w.pid <> me.pid)' : 'null'},
      ${temporaryFiles ? files : 'null'}, ${STEP_COLUMNS}
    from (select $1::int as pid) me
    ${activity ? 'left join pg_stat_activity a on a.pid = me.pid' : ''}
    left join (${progressRows(progress)}) s on s.pid = me.pid limit 1`;
}
