import type { ChangedFile, ViewedHunk } from '@org/mcp-git';
import { ActionButton, ChangedLines, count, HunkTable, numberLines, Toggle, visibleName, type Actions } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** Changes of the index against HEAD, or of the work tree against the index. */
export type Side = 'staged' | 'unstaged';

/** The state of the buttons, and the function with which the buttons change files. */
export interface StatusActions {
  readonly actions: Actions;
  /** Calls a tool and reads the status again. `done` completes a sentence that begins with "the user". */
  readonly change: (tool: string, args: object, done: string) => Promise<string>;
}

interface StatusFileProps {
  readonly entry: ChangedFile;
  readonly side: Side;
  readonly hunks: readonly ViewedHunk[];
  readonly tools: readonly string[];
  readonly status: StatusActions;
}

/** Texts and tools of the buttons, by side. */
const VERBS = {
  staged: { label: 'Unstage', past: 'unstaged', hunkTool: 'git_unstage_hunks', fileTool: 'git_restore' },
  unstaged: { label: 'Stage', past: 'staged', hunkTool: 'git_stage_hunks', fileTool: 'git_add' },
} as const;

/** Shows a changed file of a status with its hunks. */
export function StatusFile({ entry, side, hunks, tools, status: { actions, change } }: StatusFileProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const { label, past, fileTool } = VERBS[side];
  const name = visibleName(entry.path);
  const moveFile = (): Promise<string> =>
    change(
      fileTool,
      side === 'staged' ? { paths: [entry.path], staged: true } : { files: [entry.path] },
      `${past} ${entry.path}`,
    );
  const all = hunks.map((hunk) => ({ ...hunk, lines: numberLines(hunk.lines, hunk) }));
  return (
    <section class="card" aria-label={name}>
      <header>
        <h3 class="name grow">
          {entry.original_path !== undefined && `${visibleName(entry.original_path)} → `}
          {name}
        </h3>
        <span class="quiet">{describe(entry, side)}</span>
        {hunks.length > 0 && (
          <>
            <ChangedLines hunks={all} />
            <Toggle name={name} isOpen={isOpen} onToggle={setOpen} />
          </>
        )}
        {tools.includes(fileTool) && (
          <ActionButton actions={actions} onRun={moveFile} label={`${label} ${name}`}>
            {label}
          </ActionButton>
        )}
      </header>
      {isOpen &&
        all.map((hunk, index) => (
          <Hunk
            key={hunk.id}
            hunk={hunk}
            position={`hunk ${index + 1} of ${all.length} of ${name}`}
            side={side}
            tools={tools}
            status={{ actions, change }}
          />
        ))}
    </section>
  );
}

function describe({ untracked, conflict, staged, unstaged }: ChangedFile, side: Side): string {
  if (conflict === true) return 'conflict';
  if (untracked === true) return 'untracked';
  return visibleName((side === 'staged' ? staged : unstaged) ?? '');
}

interface HunkProps extends Pick<StatusFileProps, 'side' | 'tools' | 'status'> {
  readonly hunk: Omit<ViewedHunk, 'lines'> & { readonly lines: ReturnType<typeof numberLines> };
  readonly position: string;
}

function Hunk({ hunk, position, side, tools, status: { actions, change } }: HunkProps): VNode {
  const { label, past, hunkTool } = VERBS[side];
  return (
    <div role="group" aria-label={position}>
      <div class="row body">
        <span class="grow quiet">
          Line {hunk.newStart} <span class="code">{visibleName(hunk.place)}</span>
        </span>
        {tools.includes(hunkTool) && (
          <ActionButton
            actions={actions}
            onRun={() => change(hunkTool, { hunks: [hunk.id] }, `${past} ${position}`)}
            label={`${label} ${position}`}
          >
            {label}
          </ActionButton>
        )}
      </div>
      <HunkTable lines={hunk.lines} label={position} />
      {hunk.more > 0 && <p class="body">The hunk has {count(hunk.more, 'more line')}.</p>}
    </div>
  );
}
