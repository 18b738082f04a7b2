import type { Rewound } from '@org/mcp-fs';
import { ActionButton, count, Outcome, structureOf, useActions, visibleName, type Client } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const ACTIONS = { create: 'create again', delete: 'delete', restore: 'restore', merge: 'merge, later edits stay' } as const;

interface RewindPlanProps {
  readonly client: Client;
  /** Id of a checkpoint or of a change. */
  readonly to: string;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Shows the changes that a rewind would make, and the button that makes them. */
export function RewindPlan({ client, to, onDone, onClose }: RewindPlanProps): VNode {
  const actions = useActions();
  const [plan, setPlan] = useState<Rewound>();
  const look = async (args: object): Promise<Rewound> => {
    const rewound = structureOf<Rewound>(await client.call('rewind', { to, ...args })) as Rewound;
    setPlan(rewound);
    return rewound;
  };
  useEffect(() => actions.run(async () => void (await look({}))), []);
  const apply = async (): Promise<string> => {
    const rewound = await look({ apply: true });
    await onDone();
    const paths = count(rewound.paths.length, 'path');
    client.informModel(`The user rewound ${paths} to ${to}${describeUndo(rewound)}.`);
    // The undo of the list takes back only the files.
    if (rewound.checkpoint !== undefined) return `Rewound ${paths}. A rewind to ${rewound.checkpoint} takes this back.`;
    if (rewound.undoId === undefined) return 'No file had to change.';
    return `Rewound ${paths}. The list shows the rewind, which can be undone.`;
  };
  const hasConflicts = plan !== undefined && plan.conflicts.length > 0;
  return (
    <section class="card" aria-label="Plan of the rewind">
      <header>
        <h2 class="grow">
          {plan === undefined ? 'Rewind' : `${plan.applied ? 'Took' : 'Would take'} back ${count(plan.changes, 'change')}`}
        </h2>
        {plan !== undefined && !plan.applied && (
          <ActionButton kind="main" actions={actions} onRun={apply} isDisabled={hasConflicts}>
            Rewind
          </ActionButton>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      <div class="body">
        <Outcome actions={actions} />
        {hasConflicts && <p>Some paths cannot be taken back, so nothing would be changed:</p>}
        <ul>
          {plan?.conflicts.map(({ path, reason }) => (
            <li key={path}>
              <span class="name">{visibleName(path)}</span> {visibleName(reason)}
            </li>
          ))}
          {plan?.paths.map(({ path, action }) => (
            <li key={path}>
              {ACTIONS[action]}: <span class="name">{visibleName(path)}</span>
            </li>
          ))}
          {plan?.others?.map((other) => (
            <li key={other}>{visibleName(other)}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns the end of a sentence for the model; empty if the rewind changed no file. */
function describeUndo({ checkpoint, undoId }: Rewound): string {
  if (checkpoint !== undefined) return `; undo with rewind to ${checkpoint} and apply: true`;
  return undoId === undefined ? '' : `; undo with ${undoId}`;
}
