import {
  ActionButton,
  count,
  DiffPages,
  Outcome,
  showView,
  structureOf,
  textOf,
  useActions,
  viewDataOf,
  visible,
  visibleName,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** The structured content of a dry run. */
interface DryRun {
  readonly dry_run: true;
  readonly question: string;
  /** The first lost items. */
  readonly lost: readonly string[];
  readonly total: number;
  readonly recover_with?: string;
  readonly confirm_token?: string;
}

showView('mcp-git-loss', Loss);

function Loss({ client, tool, input, result }: ViewProps): VNode {
  const actions = useActions();
  const [shown, setShown] = useState<ToolResult>(result);
  const { dry_run, question = '', lost: first = [], total = 0, recover_with, confirm_token } = structureOf<DryRun>(shown);
  if (dry_run !== true) return <pre class="code">{visible(textOf(shown))}</pre>;
  const { lost = first, tools } = viewDataOf<Pick<DryRun, 'lost'>>(shown);
  const confirm = async (): Promise<void> => {
    const { dry_run: _, ...args } = input;
    const done = await client.call(tool ?? '', { ...args, ...(confirm_token !== undefined && { confirm_token }) });
    setShown(done);
    client.informModel(`The user confirmed ${tool ?? 'the operation'} in its view: ${textOf(done)}`);
  };
  const canConfirm = tool !== undefined && tools.includes(tool);
  return (
    <>
      <h1>{visible(question)}</h1>
      {total > 0 && (
        <>
          <h2>{count(total, 'item')} would be lost</h2>
          <ul class="scroll" tabIndex={0} aria-label="Lost items">
            {lost.map((item, index) => (
              <li key={index} class="name">
                {visibleName(item)}
              </li>
            ))}
            {lost.length < total && <li>{count(total - lost.length, 'more item')}</li>}
          </ul>
        </>
      )}
      {recover_with === undefined ? (
        total > 0 && <p class="alert">This cannot be undone.</p>
      ) : (
        <p>
          To undo it: <span class="code">{visible(recover_with)}</span>
        </p>
      )}
      {tools.includes('git_diff') && <Differences client={client} input={input} />}
      <div class="row">
        {canConfirm && (
          <ActionButton kind="danger" actions={actions} onRun={confirm}>
            {total > 0 ? 'Do it and lose these items' : 'Do it'}
          </ActionButton>
        )}
      </div>
      <Outcome actions={actions} />
    </>
  );
}

/** The uncommitted changes, on request. */
function Differences({ client, input }: Pick<ViewProps, 'client' | 'input'>): VNode {
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
