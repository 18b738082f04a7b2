import type { ConflictFile, ConflictList, ViewedConflict } from '@org/mcp-git';
import {
  ActionButton,
  count,
  Outcome,
  showView,
  structureOf,
  useActions,
  viewDataOf,
  visibleName,
  type Actions,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { ConflictSides } from './parts/conflict-sides.tsx';
import { createPatch, findConflicts, linesOf, splitLines, type Choice, type Conflict } from './parts/conflict-text.ts';

/** A choice that can be taken back. */
interface Made {
  readonly patch: string;
  readonly text: string;
}

showView('mcp-git-conflicts', Conflicts);

function Conflicts({ client, input, result }: ViewProps): VNode {
  const actions = useActions();
  const { repo_path } = input;
  const where = typeof repo_path === 'string' ? { repo_path } : {};
  const [shown, setShown] = useState<ToolResult>(result);
  const [made, setMade] = useState<readonly Made[]>([]);
  const { files = [], operation, next_steps = [], total = 0 } = structureOf<ConflictList>(shown);
  const { texts = [], tools } = viewDataOf<{ readonly texts: readonly ViewedConflict[] }>(shown);
  const reload = async (): Promise<void> => setShown(await client.call('git_conflicts', where));
  const choose = async (path: string, lines: readonly string[], conflict: Conflict, choice: Choice): Promise<string> => {
    const patch = createPatch(path, lines, conflict, linesOf(conflict, choice));
    const text = `${choice} at line ${conflict.start + 1} of ${path}`;
    await client.call('git_apply', { ...where, patch });
    setMade((known) => [...known, { patch, text }]);
    await reload();
    client.informModel(`The user resolved a conflict: ${text}.`);
    return `Chose ${text}.`;
  };
  const takeBack = async ({ patch, text }: Made): Promise<string> => {
    await client.call('git_apply', { ...where, patch, reverse: true });
    setMade((known) => known.slice(0, -1));
    await reload();
    client.informModel(`The user took a resolution back: ${text}.`);
    return `Took back ${text}.`;
  };
  const resolve = async (path: string): Promise<string> => {
    await client.call('git_add', { ...where, files: [path] });
    setMade([]);
    await reload();
    client.informModel(`The user marked ${path} as resolved.`);
    return `${path} is resolved.`;
  };
  const last = made.at(-1);
  return (
    <>
      <div class="row">
        <h1 class="grow">
          {total === 0 ? 'No conflicts' : `${count(total, 'file')} in conflict`}{' '}
          <span class="quiet">{operation !== undefined && `${visibleName(operation)} in progress`}</span>
        </h1>
        {last !== undefined && (
          <ActionButton actions={actions} onRun={() => takeBack(last)}>
            Take back: {visibleName(last.text)}
          </ActionButton>
        )}
        <ActionButton actions={actions} onRun={reload} isDisabled={!client.canCall}>
          Refresh
        </ActionButton>
      </div>
      <Outcome actions={actions} />
      {files.map((file) => (
        <File
          key={file.path}
          file={file}
          text={texts.find(({ path }) => path === file.path)?.text}
          actions={actions}
          tools={tools}
          onChoose={choose}
          onResolve={resolve}
        />
      ))}
      {files.length < total && <p>The first {count(files.length, 'file is', 'files are')} shown.</p>}
      {next_steps.length > 0 && <p class="quiet">Next: {next_steps.map(visibleName).join('; ')}</p>}
    </>
  );
}

interface FileProps {
  readonly file: ConflictFile;
  /**
   * Text of the file with its markers; `undefined` if the file has no markers, or the server omitted the text because of its
   * size.
   */
  readonly text: string | undefined;
  readonly actions: Actions;
  readonly tools: readonly string[];
  readonly onChoose: (path: string, lines: readonly string[], conflict: Conflict, choice: Choice) => Promise<string>;
  readonly onResolve: (path: string) => Promise<string>;
}

function File({ file: { path, kind, markers, binary }, text, actions, tools, onChoose, onResolve }: FileProps): VNode {
  const name = visibleName(path);
  const lines = splitLines(text ?? '');
  const conflicts = findConflicts(lines);
  return (
    <section class="card" aria-label={name}>
      <header>
        <h2 class="name grow">{name}</h2>
        <span class="quiet">
          {visibleName(kind)}
          {binary === true && ', binary'}
        </span>
        {tools.includes('git_add') && (
          <ActionButton
            actions={actions}
            onRun={() => onResolve(path)}
            isDisabled={markers.length > 0}
            label={`Mark as resolved: ${name}`}
          >
            Mark as resolved
          </ActionButton>
        )}
      </header>
      {text === undefined && markers.length > 0 && <p class="body">The text of the file cannot be shown here.</p>}
      {conflicts.map((conflict, index) => (
        <ConflictSides
          key={conflict.start}
          conflict={conflict}
          position={`conflict ${index + 1} of ${conflicts.length} in ${name}`}
          actions={actions}
          onChoose={tools.includes('git_apply') ? (choice) => onChoose(path, lines, conflict, choice) : undefined}
        />
      ))}
    </section>
  );
}
