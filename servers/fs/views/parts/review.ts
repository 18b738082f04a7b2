import type { Actions, Client } from '@org/mcp-views';

/** The change that is reviewed. */
export interface ChangeReviewProps {
  readonly client: Client;
  readonly undoId: string;
  readonly tools: readonly string[];
}

/** Properties that all components of a review share. */
export interface Review extends ChangeReviewProps {
  readonly actions: Actions;
  /** Reads the change again. `undo` is the refusal, edit or undo that was just made; absent if this action cannot be undone. */
  readonly reload: (undo?: Undoable) => Promise<void>;
}

/** An action of the user that can be undone. */
export interface Undoable {
  readonly undoId: string;
  readonly text: string;
}
