import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Alert, Status } from './messages.tsx';

/** The actions of a view: one at a time, with the outcome of the last one. */
export interface Actions {
  readonly isBusy: boolean;
  readonly error: string;
  readonly message: string;
  /** Runs an action. Its text is shown as the outcome, its error as an alert. */
  readonly run: (action: () => Promise<string | void>) => void;
}

export function useActions(): Actions {
  const [state, setState] = useState({ isBusy: false, error: '', message: '' });
  const run = (action: () => Promise<string | void>): void => {
    setState({ isBusy: true, error: '', message: '' });
    action().then(
      (message) => setState({ isBusy: false, error: '', message: message ?? '' }),
      (error: unknown) => setState({ isBusy: false, error: error instanceof Error ? error.message : String(error), message: '' }),
    );
  };
  return { ...state, run };
}

/** The outcome of the last action. */
export function Outcome({ actions: { error, message, isBusy } }: { readonly actions: Actions }): VNode {
  return (
    <>
      {error !== '' && <Alert text={error} />}
      <Status text={isBusy ? 'Working…' : message} />
    </>
  );
}

interface ButtonProps {
  readonly actions: Actions;
  readonly onRun: () => Promise<string | void>;
  readonly children: ComponentChildren;
  /** Label for screen readers, if the visible text alone is ambiguous. */
  readonly label?: string | undefined;
  readonly kind?: 'danger' | 'main' | undefined;
  readonly isDisabled?: boolean | undefined;
}

/** A button that runs an action. It is disabled while another action runs. */
export function ActionButton({ actions, onRun, children, label, kind, isDisabled = false }: ButtonProps): VNode {
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      disabled={actions.isBusy || isDisabled}
      onClick={() => actions.run(onRun)}
    >
      {children}
    </button>
  );
}
