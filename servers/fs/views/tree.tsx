import { showView, structureOf, visibleName, type ViewProps } from '@org/mcp-views';
import type { DirectoryListing } from '@org/mcp-fs';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Preview } from './parts/preview.tsx';
import { TreeView, type TreeFile } from './parts/tree-view.tsx';

showView('mcp-fs-tree', Tree, { needsCalls: true });

function Tree({ client, input, result }: ViewProps): VNode {
  const listing = structureOf<DirectoryListing>(result);
  const top = listing.path ?? readText(result._meta?.['path']) ?? readText(input['path']) ?? '.';
  const [file, setFile] = useState<TreeFile>();
  return (
    <>
      <h1 class="name">{visibleName(top)}</h1>
      <div class="beside">
        <TreeView client={client} top={top} onSelect={setFile} />
        {file !== undefined && <Preview key={file.path} client={client} file={file} />}
      </div>
    </>
  );
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
