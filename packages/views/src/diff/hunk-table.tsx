import type { VNode } from 'preact';

import { visible } from '../text/visible-text.ts';
import { findChangedPart, findCounterparts } from './changed-part.ts';
import type { DiffLine } from './parse-diff.ts';

const MARKS = { added: '+', removed: '-', context: ' ', note: '\\' } as const;
const NAMES = { added: 'added', removed: 'removed', context: '', note: '' } as const;

interface HunkTableProps {
  readonly lines: readonly DiffLine[];
  /** Label for screen readers, such as `Hunk 1 of src/a.ts`. */
  readonly label: string;
}

/**
 * The lines of a hunk with their numbers. If a changed line has a counterpart in the other version, the part that differs is
 * highlighted.
 */
export function HunkTable({ lines, label }: HunkTableProps): VNode {
  const counterparts = findCounterparts(lines);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="diff" aria-label={label}>
        <thead class="only-read">
          <tr>
            <th scope="col">Old line</th>
            <th scope="col">New line</th>
            <th scope="col">Change</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Line key={index} line={line} other={counterparts.get(line)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ line, other }: { readonly line: DiffLine; readonly other: string | undefined }): VNode {
  const { kind, oldLine, newLine, text } = line;
  return (
    <tr class={kind}>
      <td class="number">{oldLine}</td>
      <td class="number">{newLine}</td>
      <td class="mark">
        <span aria-hidden="true">{MARKS[kind]}</span>
        <span class="only-read">{NAMES[kind]}</span>
      </td>
      <td class="code">{other === undefined ? visible(text) : <Changed text={text} other={other} />}</td>
    </tr>
  );
}

function Changed({ text, other }: { readonly text: string; readonly other: string }): VNode {
  const { start, end } = findChangedPart(text, other);
  return (
    <>
      {visible(text.slice(0, start))}
      <mark>{visible(text.slice(start, end))}</mark>
      {visible(text.slice(end))}
    </>
  );
}
