import {
  ActionButton,
  Confirmation,
  count,
  DiffPages,
  Outcome,
  showView,
  useActions,
  viewDataOf,
  visibleName,
  type DryRun,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

showView('mcp-git-loss', Loss, { takesErrors: true });

function Loss(props: ViewProps): VNode {
  return (
    <Confirmation {...props} label={({ total }) => (total > 0 ? 'Do it despite these effects' : 'Do it')}>
      {(dryRun, result) => (
        <>
          <LostItems dryRun={dryRun} result={result} />
          {viewDataOf(result).tools.includes('git_diff') && <Differences {...props} />}
        </>
      )}
    </Confirmation>
  );
}

function LostItems({
  dryRun: { lost: first, total },
  result,
}: {
  readonly dryRun: DryRun;
  readonly result: ToolResult;
}): VNode | null {
  const { lost = first } = viewDataOf<Pick<DryRun, 'lost'>>(result);
  if (total === 0) return null;
  return (
    <>
      <h2>{count(total, 'item')} affected</h2>
      <ul class="scroll" tabIndex={0} aria-label="Affected items">
        {lost.map((item, index) => (
          <li key={index} class="name">
            {visibleName(item)}
          </li>
        ))}
        {lost.length < total && <li>{count(total - lost.length, 'more item')}</li>}
      </ul>
    </>
  );
}

/** Shows a button and, after the user has pressed it, the uncommitted changes. */
function Differences({ client, input }: ViewProps): VNode {
  const actions = useActions();
  const [diff, setDiff] = useState<ToolResult>();
  const { repo_path, paths } = input;
  const args = { target: 'HEAD', ...(typeof repo_path === 'string' && { repo_path }), ...(Array.isArray(paths) && { paths }) };
  return (
    <>
      <div class="row">
        <ActionButton actions={actions} onRun={async () => setDiff(await client.call('git_diff', args))}>
          Show uncommitted changes
        </ActionButton>
      </div>
      <Outcome actions={actions} />
      {diff !== undefined && <DiffPages client={client} tool="git_diff" input={args} result={diff} />}
    </>
  );
}
