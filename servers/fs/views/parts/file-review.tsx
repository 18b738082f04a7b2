import type { RefusedHunks, ReviewedFile, ReviewedHunk } from '@org/mcp-fs';
import { ActionButton, count, HunkTable, numberLines, structureOf, visibleName } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Review } from './review.ts';
import { HunkEditor } from './hunk-editor.tsx';

const STATES = {
  changed: 'changed',
  created: 'new file',
  deleted: 'does not exist now',
  same: 'as before the change',
  other: 'not a text that can be compared',
} as const;

interface FileReviewProps {
  readonly review: Review;
  readonly file: ReviewedFile;
}

/** Shows a file of a change with its hunks. */
export function FileReview({ review, file }: FileReviewProps): VNode {
  const { path, state, total, hunks } = file;
  return (
    <section class="card" aria-label={visibleName(path)}>
      <header>
        <h2 class="name grow">{visibleName(path)}</h2>
        <span class="quiet">
          {STATES[state]}
          {total > 0 && `, ${count(total, 'hunk')}`}
        </span>
      </header>
      {hunks.map((hunk) => (
        <Hunk key={hunk.hunk} review={review} file={file} hunk={hunk} />
      ))}
      {hunks.length < total && <p class="body">{count(total - hunks.length, 'more hunk does', 'more hunks do')} not fit here.</p>}
    </section>
  );
}

interface HunkProps extends FileReviewProps {
  readonly hunk: ReviewedHunk;
}

function Hunk({ review, file, hunk }: HunkProps): VNode {
  const [state, setState] = useState<'open' | 'accepted' | 'editing'>('open');
  const { client, actions, reload, tools, undoId } = review;
  const name = `hunk ${hunk.hunk + 1} of ${file.total} of ${visibleName(file.path)}`;
  const refuse = async (): Promise<string> => {
    const args = { undoId, path: file.path, ifMatch: file.etag, hunks: [hunk.hunk] };
    const refused = structureOf<RefusedHunks>(await client.call('refuse_hunks', args));
    await reload(refused.undoId === undefined ? undefined : { undoId: refused.undoId, text: `the refusal of ${name}` });
    client.informModel(`The user refused ${name}: these lines are as before the change again.`);
    return `Refused ${name}.`;
  };
  const accept = async (): Promise<string> => {
    setState('accepted');
    client.informModel(`The user accepted ${name}.`);
    return Promise.resolve(`Accepted ${name}.`);
  };
  if (state === 'accepted')
    return (
      <div class="row body">
        <span class="grow">Accepted: {name}</span>
        <button type="button" onClick={() => setState('open')}>
          Show again
        </button>
      </div>
    );
  return (
    <div role="group" aria-label={name}>
      <div class="row body">
        <h3 class="grow">
          Line {hunk.newStart}{' '}
          <span class="quiet">
            (hunk {hunk.hunk + 1} of {file.total})
          </span>
        </h3>
        <ActionButton actions={actions} onRun={accept} label={`Accept ${name}`}>
          Accept
        </ActionButton>
        {tools.includes('refuse_hunks') && file.state === 'changed' && (
          <ActionButton kind="danger" actions={actions} onRun={refuse} label={`Refuse ${name}`}>
            Refuse
          </ActionButton>
        )}
        {tools.includes('edit_file') && (
          <button
            type="button"
            aria-pressed={state === 'editing'}
            aria-label={`Edit ${name}`}
            onClick={() => setState(state === 'editing' ? 'open' : 'editing')}
          >
            Edit
          </button>
        )}
      </div>
      {state === 'editing' ? (
        <HunkEditor review={review} file={file} hunk={hunk} name={name} onClose={() => setState('open')} />
      ) : (
        <HunkTable lines={numberLines(hunk.lines, hunk)} label={name} />
      )}
    </div>
  );
}
