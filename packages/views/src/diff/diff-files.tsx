import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { count, visible, visibleName } from '../text/visible-text.ts';
import { Toggle } from '../parts/toggle.tsx';
import { HunkTable } from './hunk-table.tsx';
import type { DiffFile, DiffHunk } from './parse-diff.ts';

/** Maximum number of lines in the hunks of a file that is shown at once. A larger difference is shown on request. */
const MAX_OPEN_LINES = 400;

/** The differences of several files. The hunks of a large difference are shown on request. */
export function DiffFiles({ files }: { readonly files: readonly DiffFile[] }): VNode {
  return (
    <>
      {files.map((file, index) => (
        <File key={`${index} ${file.newPath}`} file={file} />
      ))}
    </>
  );
}

function File({ file }: { readonly file: DiffFile }): VNode {
  const { oldPath, newPath, notes, hunks } = file;
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const [isOpen, setOpen] = useState(lines <= MAX_OPEN_LINES);
  const name = describeName(oldPath, newPath);
  // The line that begins with `index` contains the names of git objects, which mean nothing to a reader.
  const shownNotes = notes.filter((note) => !note.startsWith('index '));
  return (
    <section class="card" aria-label={name}>
      <header>
        <h2 class="name grow">{name}</h2>
        <ChangedLines hunks={hunks} />
        {hunks.length > 0 && <Toggle name={name} isOpen={isOpen} onToggle={setOpen} />}
      </header>
      {shownNotes.length > 0 && <pre class="body code quiet">{visible(shownNotes.join('\n'))}</pre>}
      {isOpen &&
        hunks.map((hunk, index) => (
          <div key={index}>
            <p class="body quiet">
              Line {hunk.newStart} <span class="code">{visibleName(hunk.place)}</span>
            </p>
            <HunkTable lines={hunk.lines} label={`Hunk ${index + 1} of ${name}`} />
          </div>
        ))}
    </section>
  );
}

function describeName(oldPath: string, newPath: string): string {
  if (newPath === '/dev/null') return `${visibleName(oldPath)} (deleted)`;
  if (oldPath === '/dev/null') return `${visibleName(newPath)} (new)`;
  return oldPath === newPath || oldPath === '' ? visibleName(newPath) : `${visibleName(oldPath)} → ${visibleName(newPath)}`;
}

/** The numbers of added and removed lines. */
export function ChangedLines({ hunks }: { readonly hunks: readonly Pick<DiffHunk, 'lines'>[] }): VNode {
  const all = hunks.flatMap(({ lines }) => lines);
  const [added, removed] = (['added', 'removed'] as const).map((kind) => all.filter((line) => line.kind === kind).length);
  return (
    <span class="quiet">
      <span class="only-read">
        {count(added ?? 0, 'line')} added, {removed} removed
      </span>
      <span aria-hidden="true">
        +{added} −{removed}
      </span>
    </span>
  );
}
