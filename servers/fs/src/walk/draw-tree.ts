import type { WorkerScope } from '@org/mcp-roots';

import type { EntryType } from '../storage/entry-type.ts';
import { visibleName } from '../text/format.ts';
import type { JobControl } from './job-control.ts';
import { isBefore, walk, type WalkScope, type WalkSummary } from './walk.ts';

export interface TreeQuery {
  readonly scope: WalkScope;
  readonly format: 'json' | 'compact';
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly after: string | undefined;
}

export interface TreeSummary extends WalkSummary {
  readonly text: string;
  readonly entries: number;
  /** Path of the last entry of the tree; `undefined` if the walk is complete or the tree is empty. */
  readonly last: string | undefined;
}

/** An entry of the tree, in its JSON form. */
interface Node {
  readonly name: string;
  readonly type: EntryType;
  /** Present for every directory, and only for directories. */
  readonly children?: Node[];
  /** Whether the tree may omit entries of this directory. */
  truncated?: true;
}

/** Maximum number of bytes of an entry other than a directory, as JSON, in addition to its name. */
const AROUND = 27;
/** Maximum number of bytes of a directory, as JSON without its entries, in addition to its name. */
const AROUND_DIRECTORY = 62;

/** Draws the tree below a directory, up to the limits of the query. The limits cut the deepest entries. */
export function drawTree(workerScope: WorkerScope, query: TreeQuery, control: JobControl<never>): TreeSummary {
  const tree = new Tree();
  const state = { entries: 0, bytes: 0, last: undefined as string | undefined, parent: '', depth: 0 };
  const summary = walk(workerScope, query.scope, control, ({ relative, above, type, name }) => {
    if (query.after !== undefined && !isBefore(query.after, relative)) return true;
    if (above !== state.parent) {
      state.parent = above;
      state.depth = above.split('/').length;
    }
    state.bytes += measureEntry(query.format, { depth: state.depth, type, name });
    if (state.entries === query.maxEntries || (state.bytes > query.maxBytes && state.entries > 0)) return false;
    tree.add(above, name, type);
    state.entries += 1;
    state.last = relative;
    return true;
  });
  const isCut = summary.end !== 'complete';
  tree.mark((relative, depth) => depth >= query.scope.maxDepth || (isCut && !isBefore(relative, state.parent)));
  const text = query.format === 'json' ? JSON.stringify(tree.nodes) : tree.outline();
  return { ...summary, text, entries: state.entries, last: isCut ? state.last : undefined };
}

function measureEntry(
  format: TreeQuery['format'],
  { depth, type, name }: { readonly depth: number; readonly type: EntryType; readonly name: string },
): number {
  const isDirectory = type === 'directory';
  if (format === 'json') return Buffer.byteLength(JSON.stringify(name)) + (isDirectory ? AROUND_DIRECTORY : AROUND);
  return 2 * depth + Buffer.byteLength(visibleName(name)) + (isDirectory ? '/ …\n'.length + 2 : 1);
}

class Tree {
  readonly nodes: Node[] = [];
  readonly #directories = new Map<string, Node[]>([['', this.nodes]]);
  readonly #marked = new Map<string, Node>();

  add(above: string, name: string, type: EntryType): void {
    const siblings = this.#ensureDirectory(above);
    if (type === 'directory') this.#addDirectory(siblings, name, above === '' ? name : `${above}/${name}`);
    else siblings.push({ name, type });
  }

  /** Returns the entries of a directory. Adds the directory and those above it if only an earlier page contains them. */
  #ensureDirectory(directory: string): Node[] {
    const known = this.#directories.get(directory);
    if (known !== undefined) return known;
    const end = directory.lastIndexOf('/');
    return this.#addDirectory(this.#ensureDirectory(directory.slice(0, Math.max(0, end))), directory.slice(end + 1), directory);
  }

  #addDirectory(siblings: Node[], name: string, relative: string): Node[] {
    const children: Node[] = [];
    const node: Node = { name, type: 'directory', children };
    siblings.push(node);
    this.#directories.set(relative, children);
    this.#marked.set(relative, node);
    return children;
  }

  /** Sets `truncated` on each directory for which `isCut` returns `true`. */
  mark(isCut: (relative: string, depth: number) => boolean): void {
    for (const [relative, node] of this.#marked) {
      if (isCut(relative, relative.split('/').length)) node.truncated = true;
    }
  }

  /** Formats one name per line, indented by two spaces per level. */
  outline(nodes: readonly Node[] = this.nodes, indent = ''): string {
    return nodes
      .map(({ name, children, truncated }) => {
        if (children === undefined) return indent + visibleName(name);
        const line = `${indent}${visibleName(name)}/${truncated === true ? ' …' : ''}`;
        return children.length === 0 ? line : `${line}\n${this.outline(children, `${indent}  `)}`;
      })
      .join('\n');
  }
}
