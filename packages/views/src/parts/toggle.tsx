import type { VNode } from 'preact';

interface ToggleProps {
  /** The part that the button shows, such as the path of a file. */
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** A button that shows and hides a part of a view. */
export function Toggle({ name, isOpen, onToggle }: ToggleProps): VNode {
  const text = isOpen ? 'Hide' : 'Show';
  return (
    <button type="button" aria-expanded={isOpen} aria-label={`${text} ${name}`} onClick={() => onToggle(!isOpen)}>
      {text}
    </button>
  );
}
