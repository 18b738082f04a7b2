import { ActionButton, visible, visibleName, type Actions } from '@org/mcp-views';
import type { VNode } from 'preact';

import type { Choice, Conflict } from './conflict-text.ts';

interface ConflictSidesProps {
  readonly conflict: Conflict;
  /** Name of the conflict for screen readers, such as `conflict 1 of 2 in a.txt`. */
  readonly position: string;
  readonly actions: Actions;
  /** `undefined` if the view cannot change files. */
  readonly onChoose: ((choice: Choice) => Promise<string>) | undefined;
}

/** Shows the sides of a conflict beside each other, with a button for each choice. */
export function ConflictSides({ conflict, position, actions, onChoose }: ConflictSidesProps): VNode {
  const { ours, theirs, base, names, start } = conflict;
  return (
    <div role="group" aria-label={position}>
      <div class="row body">
        <h3 class="grow">Line {start + 1}</h3>
        {onChoose !== undefined && (
          <ActionButton actions={actions} onRun={() => onChoose('both')} label={`Use both, ours first: ${position}`}>
            Use both
          </ActionButton>
        )}
      </div>
      <div class="sides">
        <Side
          title="Ours"
          name={names.ours}
          lines={ours}
          choice="ours"
          position={position}
          actions={actions}
          onChoose={onChoose}
        />
        {base !== undefined && (
          <Side title="Before" name="" lines={base} choice="base" position={position} actions={actions} onChoose={onChoose} />
        )}
        <Side
          title="Theirs"
          name={names.theirs}
          lines={theirs}
          choice="theirs"
          position={position}
          actions={actions}
          onChoose={onChoose}
        />
      </div>
    </div>
  );
}

interface SideProps extends Pick<ConflictSidesProps, 'position' | 'actions' | 'onChoose'> {
  readonly title: string;
  readonly name: string;
  readonly lines: readonly string[];
  readonly choice: Choice;
}

function Side({ title, name, lines, choice, position, actions, onChoose }: SideProps): VNode {
  return (
    <div class="side">
      <div class="row">
        <strong class="grow">
          {title} <span class="quiet name">{visibleName(name)}</span>
        </strong>
        {onChoose !== undefined && (
          <ActionButton actions={actions} onRun={() => onChoose(choice)} label={`Use ${title.toLowerCase()}: ${position}`}>
            Use {title.toLowerCase()}
          </ActionButton>
        )}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, ${position}`}>
        <pre class="code">{lines.length === 0 ? '(no lines)' : visible(lines.join(''))}</pre>
      </div>
    </div>
  );
}
