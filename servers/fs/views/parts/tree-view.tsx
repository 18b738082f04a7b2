import type { DirectoryListing, Entry } from '@org/mcp-fs';
import { Alert, size, structureOf, visibleName, type Client } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A file that the user selected. */
export interface TreeFile {
  readonly path: string;
  readonly size: number | undefined;
}

interface Node {
  readonly entry: Entry;
  readonly path: string;
  readonly level: number;
}

/** The entries of an open directory. */
interface Opened {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string | undefined;
}

interface TreeViewProps {
  readonly client: Client;
  /** Path of the directory at the top. */
  readonly top: string;
  readonly onSelect: (file: TreeFile) => void;
}

/**
 * Shows a directory as a tree. The arrow keys, Home and End move the focus; the left and right arrow keys also close and open
 * directories. Enter and the space bar select a file, or open or close a directory.
 */
export function TreeView({ client, top, onSelect }: TreeViewProps): VNode {
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map());
  const [active, setActive] = useState('');
  const [selected, setSelected] = useState('');
  const [error, setError] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const open = (path: string, cursor?: string): void => {
    client.call('list_directory', { path, ...(cursor !== undefined && { cursor }) }).then(
      (result) => {
        const { entries = [], nextCursor } = structureOf<DirectoryListing>(result);
        setOpened((known) =>
          new Map(known).set(path, {
            entries: [...(cursor === undefined ? [] : (known.get(path)?.entries ?? [])), ...entries],
            nextCursor,
          }),
        );
      },
      (failure: unknown) => setError(String(failure)),
    );
  };
  const close = (path: string): void => setOpened((known) => new Map([...known].filter(([each]) => each !== path)));
  useEffect(() => open(top), [top]);
  const rows = listRows(opened, top, 1);
  const focus = (path: string): void => {
    setActive(path);
    list.current?.querySelectorAll<HTMLElement>('[role=treeitem]').forEach((item) => {
      if (item.dataset['path'] === path) item.focus();
    });
  };
  const choose = (node: Node): void => {
    setActive(node.path);
    if (node.entry.type === 'directory') return opened.has(node.path) ? close(node.path) : open(node.path);
    setSelected(node.path);
    onSelect({ path: node.path, size: node.entry.size });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = Math.max(
      0,
      rows.findIndex(({ path }) => path === active),
    );
    const node = rows[index];
    const target = node && findTarget(event.key, rows, index, opened.has(node.path));
    if (node === undefined || target === undefined) return;
    event.preventDefault();
    if (target === 'choose') choose(node);
    else if (target === 'open') open(node.path);
    else if (target === 'close') close(node.path);
    else focus(target.path);
  };
  const draw = (directory: string, level: number): readonly VNode[] =>
    toNodes(opened.get(directory)?.entries ?? [], directory, level).map((node) => (
      <li
        key={node.path}
        role="treeitem"
        data-path={node.path}
        tabIndex={node.path === (active === '' ? rows[0]?.path : active) ? 0 : -1}
        aria-selected={node.path === selected}
        aria-level={level}
        {...(node.entry.type === 'directory' && { 'aria-expanded': opened.has(node.path) })}
      >
        <div class="entry" onClick={() => choose(node)}>
          <span aria-hidden="true">{markOf(node, opened.has(node.path))}</span>
          <span class="name">
            {visibleName(node.entry.name)}
            {node.entry.target !== undefined && ` → ${visibleName(node.entry.target)}`}
          </span>
          <span class="quiet">{node.entry.type === 'file' && node.entry.size !== undefined ? size(node.entry.size) : ''}</span>
        </div>
        {opened.has(node.path) && <ul role="group">{draw(node.path, level + 1)}</ul>}
      </li>
    ));
  return (
    <div>
      {error !== '' && <Alert text={error} />}
      <ul ref={list} role="tree" aria-label={`Files in ${visibleName(top)}`} onKeyDown={onKeyDown}>
        {draw(top, 1)}
      </ul>
      {[...opened].flatMap(([path, { nextCursor }]) =>
        nextCursor === undefined
          ? []
          : [
              <button key={path} type="button" onClick={() => open(path, nextCursor)}>
                Show more of {visibleName(path)}
              </button>,
            ],
      )}
    </div>
  );
}

function toNodes(entries: readonly Entry[], directory: string, level: number): readonly Node[] {
  const separator = directory.includes('\\') ? '\\' : '/';
  const above = directory.endsWith(separator) ? directory : `${directory}${separator}`;
  return entries.map((entry) => ({ entry, path: `${above}${entry.name}`, level }));
}

/** Lists the visible entries from the top to the bottom. */
function listRows(opened: ReadonlyMap<string, Opened>, directory: string, level: number): readonly Node[] {
  return toNodes(opened.get(directory)?.entries ?? [], directory, level).flatMap((node) => [
    node,
    ...listRows(opened, node.path, level + 1),
  ]);
}

function markOf({ entry: { type } }: Node, isOpen: boolean): string {
  if (type === 'directory') return isOpen ? '▾' : '▸';
  return type === 'symlink' ? '↪' : '·';
}

/** Returns what a key does: an entry to move to, or an action with the active entry. */
function findTarget(
  key: string,
  rows: readonly Node[],
  index: number,
  isOpen: boolean,
): Node | 'choose' | 'open' | 'close' | undefined {
  const node = rows[index];
  if (node === undefined) return undefined;
  const isDirectory = node.entry.type === 'directory';
  if (key === 'Enter' || key === ' ') return 'choose';
  if (key === 'ArrowDown') return rows[index + 1];
  if (key === 'ArrowUp') return rows[index - 1];
  if (key === 'Home') return rows[0];
  if (key === 'End') return rows.at(-1);
  if (key === 'ArrowRight') return isDirectory && !isOpen ? 'open' : rows[index + 1];
  if (key !== 'ArrowLeft') return undefined;
  return isDirectory && isOpen ? 'close' : rows.slice(0, index).findLast(({ level }) => level < node.level);
}
