import type { ReviewedChange } from '@org/mcp-fs';
import { ActionButton, count, Outcome, structureOf, useActions } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { FileReview } from './file-review.tsx';
import type { ChangeReviewProps, Review, Undoable } from './review.ts';

/** Shows the files of a change, hunk by hunk. */
export function ChangeReview(props: ChangeReviewProps): VNode {
  const { client, undoId, tools } = props;
  const actions = useActions();
  const [change, setChange] = useState<ReviewedChange>();
  const [done, setDone] = useState<readonly Undoable[]>([]);
  const reload = async (undo?: Undoable): Promise<void> => {
    if (undo !== undefined) setDone((known) => [...known, undo]);
    setChange(structureOf<ReviewedChange>(await client.call('review_change', { undoId })) as ReviewedChange);
  };
  useEffect(() => actions.run(() => reload()), [undoId]);
  const review: Review = { ...props, actions, reload };
  const undoLast = async (last: Undoable): Promise<string> => {
    await client.call('undo_change', { undoId: last.undoId });
    setDone((known) => known.filter((each) => each !== last));
    await reload();
    client.informModel(`The user took back: ${last.text}`);
    return `Took back: ${last.text}`;
  };
  const last = done.at(-1);
  return (
    <>
      {change !== undefined && <Summary change={change} review={review} />}
      {last !== undefined && tools.includes('undo_change') && (
        <div class="row">
          <ActionButton actions={actions} onRun={() => undoLast(last)}>
            Take back: {last.text}
          </ActionButton>
        </div>
      )}
      <Outcome actions={actions} />
      {change?.files.map((file) => (
        <FileReview key={`${file.path} ${file.etag}`} review={review} file={file} />
      ))}
      {change !== undefined && change.more > 0 && <p>{count(change.more, 'more file does', 'more files do')} not fit here.</p>}
    </>
  );
}

function Summary({ change, review }: { readonly change: ReviewedChange; readonly review: Review }): VNode {
  const { client, undoId, tools, actions, reload } = review;
  const hunks = change.files.reduce((sum, { total }) => sum + total, 0);
  const undo = async (): Promise<string> => {
    const result = structureOf<{ readonly undoId: string }>(await client.call('undo_change', { undoId }));
    await reload(result.undoId === undefined ? undefined : { undoId: result.undoId, text: 'the undo of the whole change' });
    client.informModel(`The user refused the whole change ${undoId}; the files have their texts from before the change.`);
    return 'The whole change was undone.';
  };
  return (
    <div class="row">
      <h1 class="grow">
        {count(hunks, 'hunk')} in {count(change.files.length, 'file')}
      </h1>
      {tools.includes('undo_change') && (
        <ActionButton
          kind="danger"
          actions={actions}
          onRun={undo}
          isDisabled={change.files.every(({ state }) => state === 'same')}
        >
          Refuse all
        </ActionButton>
      )}
    </div>
  );
}
