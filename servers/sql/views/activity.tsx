import type { Activity } from '@org/mcp-sql';
import {
  ActionButton,
  count,
  Outcome,
  showView,
  structureOf,
  useActions,
  viewDataOf,
  visible,
  visibleName,
  type Actions,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Time between two calls of a live view, in milliseconds. */
const INTERVAL = 2000;

const SHOWN = [
  ['blocking_tree', 'Blocked sessions'],
  ['sessions', 'Sessions'],
  ['locks', 'Locks'],
  ['progress', 'Progress'],
] as const;

type Shown = (typeof SHOWN)[number][0];

showView('mcp-sql-activity', Sessions);

function Sessions({ client, input, result }: ViewProps): VNode {
  const actions = useActions();
  const [shown, setShown] = useState<Shown>((input['view'] as Shown | undefined) ?? 'sessions');
  const [activity, setActivity] = useState<Partial<Activity>>(structureOf<Activity>(result));
  const [isLive, setLive] = useState(client.canCall);
  const [error, setError] = useState('');
  const { tools } = viewDataOf(result);
  const database = typeof input['database'] === 'string' ? { database: input['database'] } : {};
  const read = async (view: Shown): Promise<void> => {
    setActivity(structureOf<Activity>(await client.call('activity', { ...database, view })));
  };
  useEffect(() => {
    if (!isLive) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasEnded = false;
    const tick = async (): Promise<void> => {
      // A hidden view needs no data, so it calls no tool.
      if (!document.hidden) await read(shown);
      if (!hasEnded) timer = setTimeout(run, INTERVAL);
    };
    const run = (): void => {
      tick().catch((failure: unknown) => {
        setLive(false);
        setError(failure instanceof Error ? failure.message : String(failure));
      });
    };
    run();
    return () => {
      hasEnded = true;
      clearTimeout(timer);
    };
  }, [isLive, shown]);
  const show = (view: Shown): void => {
    setShown(view);
    if (!isLive) actions.run(() => read(view));
  };
  const end = async (pid: string, mode: 'cancel' | 'terminate'): Promise<string> => {
    const { state_after = 'unknown' } = structureOf<{ readonly state_after: string }>(
      await client.call('cancel', { ...database, pid: Number(pid), mode }),
    );
    await read(shown);
    client.informModel(
      `The user requested to ${mode === 'cancel' ? 'cancel the statement of' : 'end'} session ${pid}; the state of the session is now ${state_after}.`,
    );
    return `Session ${pid}: ${state_after}.`;
  };
  return (
    <>
      <div class="row">
        <h1 class="grow">Activity</h1>
        {SHOWN.map(([view, title]) => (
          <button key={view} type="button" aria-pressed={view === shown} disabled={!client.canCall} onClick={() => show(view)}>
            {title}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={isLive}
          disabled={!client.canCall}
          onClick={() => {
            setError('');
            setLive(!isLive);
          }}
        >
          {isLive ? 'Live' : 'Paused'}
        </button>
      </div>
      {error !== '' && (
        <p class="alert" role="alert">
          {visible(error)}
        </p>
      )}
      <Outcome actions={actions} />
      <Table
        activity={activity}
        isTree={shown === 'blocking_tree'}
        actions={actions}
        onEnd={tools.includes('cancel') ? end : undefined}
      />
    </>
  );
}

interface TableProps {
  readonly activity: Partial<Activity>;
  readonly isTree: boolean;
  readonly actions: Actions;
  /** Cancels the running statement of a session, or ends the session; `undefined` if the view may do neither. */
  readonly onEnd: ((pid: string, mode: 'cancel' | 'terminate') => Promise<string>) | undefined;
}

function Table({ activity: { columns = [], rows = [], hidden, truncated }, isTree, actions, onEnd }: TableProps): VNode {
  const pid = columns.indexOf('pid');
  if (rows.length === 0) return <p>{isTree ? 'No session is blocked.' : 'There is nothing to show.'}</p>;
  const shown = columns.flatMap((name, index) => (isTree && name === 'depth' ? [] : [{ name, index }]));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Sessions">
        <table class="grid" aria-label="Sessions">
          <thead>
            <tr>
              {shown.map(({ name }) => (
                <th key={name} scope="col">
                  {visibleName(name)}
                </th>
              ))}
              {onEnd !== undefined && <th scope="col">End</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, position) => (
              <tr key={`${row[pid]} ${position}`}>
                {shown.map(({ name, index }) => (
                  <td
                    key={name}
                    class={name === 'query' ? 'code query' : 'code'}
                    style={isTree && index === pid ? { paddingLeft: `${8 + 20 * Number(row[0] ?? 0)}px` } : undefined}
                  >
                    {isTree && index === pid && Number(row[0] ?? 0) > 0 && (
                      <span aria-label={`waits at depth ${row[0]},`}>↳ </span>
                    )}
                    {visible(row[index] ?? '')}
                  </td>
                ))}
                {onEnd !== undefined && (
                  <td>
                    <ActionButton
                      actions={actions}
                      onRun={() => onEnd(row[pid] ?? '', 'cancel')}
                      label={`Cancel statement of ${row[pid]}`}
                    >
                      Cancel statement
                    </ActionButton>{' '}
                    <ActionButton
                      kind="danger"
                      actions={actions}
                      onRun={() => onEnd(row[pid] ?? '', 'terminate')}
                      label={`End session ${row[pid]}`}
                    >
                      End session
                    </ActionButton>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {truncated === true && <p>More rows exist.</p>}
      {hidden !== undefined && (
        <p>{count(hidden, 'row lacks', 'rows lack')} details, because the role may not inspect the sessions.</p>
      )}
    </>
  );
}
