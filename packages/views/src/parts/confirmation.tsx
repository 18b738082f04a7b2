import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { structureOf, textOf, type ToolResult } from '../client/messages.ts';
import type { ViewProps } from '../client/view-props.ts';
import { ActionButton, Outcome, useActions } from './actions.tsx';
import { Alert } from './messages.tsx';
import { visible } from '../text/visible-text.ts';

/** The structured content of a dry run. */
export interface DryRun {
  readonly dry_run: true;
  readonly question: string;
  /** The first lost items. */
  readonly lost: readonly string[];
  readonly total: number;
  readonly recover_with?: string;
  readonly confirm_token?: string;
}

interface ConfirmationProps extends ViewProps {
  /** Draws the effects of the call. */
  readonly children: (dryRun: DryRun, result: ToolResult) => ComponentChildren;
  /** Draws the result of the call itself. Default: its text. */
  readonly done?: ((result: ToolResult) => VNode) | undefined;
  readonly label: (dryRun: DryRun) => string;
}

/**
 * The effects of a call that a dry run found, and the button that makes the call. If the shown call failed because it needs a
 * confirmation, the view makes a dry run. The result of any other call is shown as it is.
 */
export function Confirmation({ client, tool, input, result, children, done, label }: ConfirmationProps): VNode {
  const actions = useActions();
  const [shown, setShown] = useState<ToolResult>(result);
  const canCall = tool !== undefined && client.canCall;
  const isUnconfirmed = shown.isError === true && codeOf(shown) === 'CONFIRMATION_REQUIRED';
  useEffect(() => {
    if (canCall && isUnconfirmed) actions.run(async () => setShown(await client.call(tool, { ...input, dry_run: true })));
  }, []);
  if (shown.isError === true)
    return (
      <>
        <Alert text={textOf(shown)} />
        <Outcome actions={actions} />
      </>
    );
  const found = structureOf<DryRun>(shown);
  if (found.dry_run !== true) return done?.(shown) ?? <pre class="code">{visible(textOf(shown))}</pre>;
  const dryRun: DryRun = { question: '', lost: [], total: 0, ...found, dry_run: true };
  const { question, recover_with, confirm_token, total } = dryRun;
  const confirm = async (): Promise<void> => {
    const { dry_run: _, ...args } = input;
    const answer = await client.call(tool ?? '', { ...args, ...(confirm_token !== undefined && { confirm_token }) });
    setShown(answer);
    client.informModel(`The user confirmed ${tool ?? 'the operation'} in its view: ${textOf(answer)}`);
  };
  return (
    <>
      <h1>{visible(question)}</h1>
      {children(dryRun, shown)}
      {recover_with !== undefined && (
        <p>
          To undo it: <span class="code">{visible(recover_with)}</span>
        </p>
      )}
      {recover_with === undefined && total > 0 && <p class="alert">This cannot be undone.</p>}
      {canCall && (
        <div class="row">
          <ActionButton kind="danger" actions={actions} onRun={confirm}>
            {label(dryRun)}
          </ActionButton>
        </div>
      )}
      <Outcome actions={actions} />
    </>
  );
}

/** Returns the code of a tool's error. */
function codeOf({ _meta }: ToolResult): unknown {
  return (_meta?.['error'] as { readonly code?: unknown } | undefined)?.code;
}
