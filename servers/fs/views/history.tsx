import type { ChangeList, ListedChange, ListedCheckpoint } from '@org/mcp-fs';
import {
  ActionButton,
  count,
  Outcome,
  showView,
  structureOf,
  Toggle,
  useActions,
  viewDataOf,
  visibleName,
  type Actions,
  type Client,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { ChangeReview } from './parts/change-review.tsx';
import { RewindPlan } from './parts/rewind-plan.tsx';

interface Shown {
  readonly changes: readonly ListedChange[];
  readonly checkpoints: readonly ListedCheckpoint[];
  readonly nextCursor?: string | undefined;
  readonly tools: readonly string[];
}

showView('mcp-fs-history', History, { needsCalls: true });

function History({ client, result }: ViewProps): VNode {
  const actions = useActions();
  const [shown, setShown] = useState<Shown>({ changes: [], checkpoints: [], tools: viewDataOf(result).tools });
  const [moment, setMoment] = useState<string>();
  const load = async (cursor?: string): Promise<void> => {
    const page = await client.call('list_changes', { limit: 20, ...(cursor !== undefined && { cursor }) });
    const { changes = [], nextCursor } = structureOf<ChangeList>(page);
    const { checkpoints = [], tools } = viewDataOf<{ readonly checkpoints: readonly ListedCheckpoint[] }>(page);
    setShown((known) => ({
      changes: cursor === undefined ? changes : [...known.changes, ...changes],
      checkpoints,
      nextCursor,
      tools,
    }));
  };
  useEffect(() => actions.run(() => load()), []);
  const { changes, nextCursor, tools } = shown;
  return (
    <>
      <div class="row">
        <h1 class="grow">Changes and checkpoints</h1>
        <ActionButton actions={actions} onRun={() => load()}>
          Refresh
        </ActionButton>
      </div>
      {tools.includes('checkpoint') && <NewCheckpoint client={client} actions={actions} reload={load} />}
      <Outcome actions={actions} />
      {moment !== undefined && (
        <RewindPlan key={moment} client={client} to={moment} onDone={() => load()} onClose={() => setMoment(undefined)} />
      )}
      {!actions.isBusy && actions.error === '' && changes.length === 0 && <p>No change can be undone.</p>}
      <ol class="timeline">
        {merge(shown).map((entry) => (
          <li key={'undoId' in entry ? entry.undoId : entry.id}>
            {'undoId' in entry ? (
              <ChangeEntry client={client} change={entry} tools={tools} actions={actions} reload={load} onRewind={setMoment} />
            ) : (
              <CheckpointEntry checkpoint={entry} canRewind={tools.includes('rewind')} onRewind={setMoment} />
            )}
          </li>
        ))}
      </ol>
      {nextCursor !== undefined && (
        <ActionButton actions={actions} onRun={() => load(nextCursor)}>
          Show earlier changes
        </ActionButton>
      )}
    </>
  );
}

/**
 * Merges changes and checkpoints, the latest first. Their ids have the same order as their times. While earlier changes are not
 * loaded, omits the checkpoints before the earliest loaded change.
 */
function merge({ changes, checkpoints, nextCursor }: Shown): readonly (ListedChange | ListedCheckpoint)[] {
  const earliest = nextCursor === undefined ? '' : (changes.at(-1)?.undoId ?? '');
  const idOf = (entry: ListedChange | ListedCheckpoint): string => ('undoId' in entry ? entry.undoId : entry.id);
  return [...changes, ...checkpoints.filter(({ id }) => id >= earliest)].sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1));
}

interface NewCheckpointProps {
  readonly client: Client;
  readonly actions: Actions;
  readonly reload: () => Promise<void>;
}

function NewCheckpoint({ client, actions, reload }: NewCheckpointProps): VNode {
  const [name, setName] = useState('');
  const add = async (): Promise<string> => {
    await client.call('checkpoint', { name });
    setName('');
    await reload();
    return `Added the checkpoint ${name}.`;
  };
  // No `form` element is used, because the sandbox of some clients does not allow the submission of forms.
  return (
    <div class="row">
      <label class="grow">
        New checkpoint{' '}
        <input
          value={name}
          maxLength={100}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && name !== '') actions.run(add);
          }}
        />
      </label>
      <ActionButton actions={actions} onRun={add} isDisabled={name === ''}>
        Add
      </ActionButton>
    </div>
  );
}

interface ChangeEntryProps extends NewCheckpointProps {
  readonly change: ListedChange;
  readonly tools: readonly string[];
  readonly onRewind: (to: string) => void;
}

function ChangeEntry({ client, change, tools, actions, reload, onRewind }: ChangeEntryProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const { undoId, time, tool, paths, morePaths = 0 } = change;
  const undo = async (): Promise<string> => {
    await client.call('undo_change', { undoId });
    await reload();
    client.informModel(`The user undid the change ${undoId} (${tool}).`);
    return `Undid ${tool} of ${new Date(time).toLocaleTimeString()}.`;
  };
  const about = `${tool} at ${time}`;
  return (
    <section class="card" aria-label={about}>
      <header>
        <h2 class="grow">
          {visibleName(tool)}{' '}
          <time class="quiet" dateTime={time}>
            {new Date(time).toLocaleString()}
          </time>
        </h2>
        {tools.includes('review_change') && <Toggle name={about} isOpen={isOpen} onToggle={setOpen} />}
        {tools.includes('undo_change') && (
          <ActionButton actions={actions} onRun={undo} label={`Undo ${about}`}>
            Undo
          </ActionButton>
        )}
        {tools.includes('rewind') && (
          <button type="button" aria-label={`Rewind to before ${about}`} onClick={() => onRewind(undoId)}>
            Rewind to before
          </button>
        )}
      </header>
      <ul class="body">
        {paths.map((path) => (
          <li key={path} class="name">
            {visibleName(path)}
          </li>
        ))}
        {morePaths > 0 && <li>{count(morePaths, 'more path')}</li>}
      </ul>
      {isOpen && (
        <div class="body">
          <ChangeReview client={client} undoId={undoId} tools={tools} />
        </div>
      )}
    </section>
  );
}

interface CheckpointEntryProps {
  readonly checkpoint: ListedCheckpoint;
  readonly canRewind: boolean;
  readonly onRewind: (to: string) => void;
}

function CheckpointEntry({ checkpoint: { id, name, time }, canRewind, onRewind }: CheckpointEntryProps): VNode {
  return (
    <section class="checkpoint row" aria-label={`Checkpoint ${visibleName(name)}`}>
      <h2 class="grow">
        Checkpoint <span class="name">{visibleName(name)}</span>{' '}
        <time class="quiet" dateTime={time}>
          {new Date(time).toLocaleString()}
        </time>
      </h2>
      {canRewind && (
        <button type="button" aria-label={`Rewind to here: checkpoint ${visibleName(name)}`} onClick={() => onRewind(id)}>
          Rewind to here
        </button>
      )}
    </section>
  );
}
