import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Client } from '../client/client.ts';
import { textOf, type ToolResult } from '../client/messages.ts';
import { ActionButton, Outcome, useActions } from '../parts/actions.tsx';
import { visible } from '../text/visible-text.ts';
import { DiffFiles } from './diff-files.tsx';
import { parseDiff } from './parse-diff.ts';

interface DiffPagesProps {
  readonly client: Client;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

/** The lines before the first file of a difference, and the files. The button reads the next page of a long difference. */
export function DiffPages({ client, tool, input, result }: DiffPagesProps): VNode {
  const actions = useActions();
  const [pages, setPages] = useState<readonly ToolResult[]>([result]);
  const texts = pages.map(textOf);
  const cursor = pages.at(-1)?._meta?.['next_cursor'];
  const [first = ''] = texts;
  const start = first.search(/^diff --/m);
  const more = async (): Promise<void> => {
    const page = await client.call(tool, { ...input, cursor });
    setPages((known) => [...known, page]);
  };
  return (
    <>
      <pre class="code intro">{visible((start === -1 ? first : first.slice(0, start)).trim())}</pre>
      <DiffFiles files={texts.flatMap(parseDiff)} />
      <Outcome actions={actions} />
      {typeof cursor === 'string' && client.canCall && (
        <ActionButton actions={actions} onRun={more}>
          Show more of the difference
        </ActionButton>
      )}
    </>
  );
}
