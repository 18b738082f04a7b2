import type { VNode } from 'preact';

import { visible } from '../text/visible-text.ts';

/** An error, which screen readers read out at once. */
export function Alert({ text }: { readonly text: string }): VNode {
  return (
    <p class="alert" role="alert">
      {visible(text)}
    </p>
  );
}

/** A message about the last action. Its element must exist before the text changes, so that screen readers read out the change. */
export function Status({ text }: { readonly text: string }): VNode {
  return (
    <p class={text === '' ? 'hidden' : 'status'} role="status">
      {visible(text)}
    </p>
  );
}
