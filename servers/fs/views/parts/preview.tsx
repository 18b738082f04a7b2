import { Alert, size, textOf, visible, visibleName, type Client, type ToolResult } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { TreeFile } from './tree-view.tsx';

const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;
/** Maximum number of lines of a preview. */
const LINES = 200;
const MAX_BYTES = 100_000;

interface PreviewProps {
  readonly client: Client;
  readonly file: TreeFile;
}

/** Shows the beginning of a text file, or an image. */
export function Preview({ client, file }: PreviewProps): VNode {
  const [result, setResult] = useState<ToolResult>();
  const [error, setError] = useState('');
  useEffect(() => {
    const call = IMAGE.test(file.path)
      ? client.call('read_media_file', { path: file.path })
      : client.call('read_text_file', { path: file.path, head: LINES, maxBytes: MAX_BYTES });
    call.then(setResult, (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)));
  }, [file.path]);
  const name = visibleName(file.path);
  return (
    <section class="card" aria-label={`Preview of ${name}`}>
      <header>
        <h2 class="name grow">{name}</h2>
        <span class="quiet">{file.size === undefined ? '' : size(file.size)}</span>
      </header>
      {error !== '' && <Alert text={error} />}
      {result === undefined && error === '' && <p role="status">Reading…</p>}
      {result !== undefined && <Content result={result} name={name} />}
    </section>
  );
}

function Content({ result, name }: { readonly result: ToolResult; readonly name: string }): VNode {
  const image = result.content.find(({ type }) => type === 'image');
  // An SVG is not shown as an image, because it is a document that can contain scripts.
  if (image?.data !== undefined && /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(image.mimeType ?? ''))
    return <img class="preview" alt={`Preview of ${name}`} src={`data:${image.mimeType};base64,${image.data}`} />;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Text of ${name}`}>
      <pre class="code">{visible(textOf(result))}</pre>
    </div>
  );
}
