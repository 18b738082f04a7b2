import type { ReviewedFile, ReviewedHunk } from '@org/mcp-fs';
import { ActionButton, viewDataOf, type ToolResult } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Review } from './review.ts';

interface HunkEditorProps {
  readonly review: Review;
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
  readonly name: string;
  readonly onClose: () => void;
}

/** Shows the current lines of a hunk in an editor. */
export function HunkEditor({ review, file, hunk, name, onClose }: HunkEditorProps): VNode {
  const lines = hunk.lines.filter((line) => line.startsWith(' ') || line.startsWith('+')).map((line) => line.slice(1));
  const [text, setText] = useState(lines.join('\n'));
  const { client, actions, reload } = review;
  if (lines.length === 0) return <p class="body">The hunk has no lines to edit.</p>;
  // The editor would lose the end of a cut line, and would give all lines the same line ending.
  if (!hunk.complete) return <p class="body">The hunk has lines that cannot be edited here.</p>;
  const save = async (): Promise<string> => {
    const range = { startLine: hunk.newStart, endLine: hunk.newStart + lines.length - 1 };
    const result = await client.call('edit_file', { path: file.path, ifMatch: file.etag, edits: [{ ...range, newText: text }] });
    await reload(readUndoable(result, name));
    client.informModel(`The user edited ${name}.`);
    onClose();
    return `Saved ${name}.`;
  };
  return (
    <div class="body">
      <label>
        Lines {hunk.newStart} to {hunk.newStart + lines.length - 1}
        <textarea
          spellcheck={false}
          rows={Math.min(20, lines.length + 1)}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="row">
        <ActionButton kind="main" actions={actions} onRun={save} label={`Save ${name}`}>
          Save
        </ActionButton>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}

/** Returns the id with which an edit can be undone, from `_meta`, or `undefined` if the user cannot undo it. */
function readUndoable(result: ToolResult, name: string): { readonly undoId: string; readonly text: string } | undefined {
  const undoId = result._meta?.['undoId'];
  return typeof undoId === 'string' && viewDataOf(result).tools.includes('undo_change')
    ? { undoId, text: `the edit of ${name}` }
    : undefined;
}
