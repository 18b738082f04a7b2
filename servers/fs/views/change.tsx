import {
  ActionButton,
  HunkTable,
  Outcome,
  parseDiff,
  showView,
  textOf,
  useActions,
  viewDataOf,
  visible,
  visibleName,
  type DiffFile,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { ChangeReview } from './parts/change-review.tsx';

/** Facts about an edit or a replacement. */
interface ChangeFacts {
  readonly undoId?: string;
  readonly dryRun?: boolean;
}

showView('mcp-fs-change', Change);

function Change({ client, tool, input, result }: ViewProps): VNode {
  const [shown, setShown] = useState(result);
  const { tools } = viewDataOf(shown);
  const { undoId, dryRun = false }: ChangeFacts = shown._meta ?? {};
  if (undoId !== undefined && client.canCall && tools.includes('review_change'))
    return <ChangeReview client={client} undoId={undoId} tools={tools} />;
  const name = tool ?? ('edits' in input ? 'edit_file' : 'replace_in_files');
  return (
    <Planned
      text={textOf(shown)}
      apply={dryRun && client.canCall ? async () => setShown(await client.call(name, { ...input, dryRun: false })) : undefined}
    />
  );
}

interface PlannedProps {
  readonly text: string;
  /** Makes the change; `undefined` if the view cannot make it. */
  readonly apply: (() => Promise<void>) | undefined;
}

/** Shows the differences of a dry run, or those of a change that the view cannot review. */
function Planned({ text, apply }: PlannedProps): VNode {
  const actions = useActions();
  // The fences of the code blocks around the differences are removed; the parser ignores the lines that describe the differences.
  const files = parseDiff(text.replaceAll(/^`{3,}(diff)?$/gm, ''));
  return (
    <>
      <div class="row">
        <h1 class="grow">{files.length === 0 ? 'No difference' : apply === undefined ? 'Changes' : 'Planned changes'}</h1>
        {apply !== undefined && files.length > 0 && (
          <ActionButton kind="main" actions={actions} onRun={apply}>
            Make the changes
          </ActionButton>
        )}
      </div>
      <Outcome actions={actions} />
      {files.length === 0 && <pre class="code">{visible(text)}</pre>}
      {files.map((file, index) => (
        <PlannedFile key={index} file={file} />
      ))}
    </>
  );
}

function PlannedFile({ file: { newPath, hunks } }: { readonly file: DiffFile }): VNode {
  return (
    <section class="card" aria-label={visibleName(newPath)}>
      <header>
        <h2 class="name grow">{visibleName(newPath)}</h2>
      </header>
      {hunks.map(({ lines, newStart }, index) => (
        <HunkTable key={index} lines={lines} label={`Line ${newStart} of ${visibleName(newPath)}`} />
      ))}
    </section>
  );
}
