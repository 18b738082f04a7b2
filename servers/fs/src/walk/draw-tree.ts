import type { ThreadGround } from '@org/mcp-roots';

import type { EntryType } from '../entry-type.ts';
import { visibleName } from '../text/escape.ts';
import type { Course } from './course.ts';
import type { TreeQuery, TreeSummary } from './job.ts';
import { isBefore, walk } from './walk.ts';

/** As it is written in JSON. */
interface Node {
  readonly name: string;
  readonly type: EntryType;
  /** Of directories only, and always of them. */
  readonly children?: Node[];
  /** Not all that is in it is shown. */
  truncated?: true;
}

/** Bytes of an entry in JSON besides its name: of a file, and of a directory that is marked as truncated. */
const AROUND = 27;
const AROUND_DIRECTORY = 62;

/** Draws the tree below a directory, as much of it as is wanted; what is cut off is what lies deepest. */
export function drawTree(ground: ThreadGround, query: TreeQuery, course: Course<never>): TreeSummary {
  const tree = new Tree();
  const state = { entries: 0, bytes: 0, last: undefined as string | undefined, parent: '' };
  const summary = walk(ground, query.scope, course, ({ relative, above, type, name }) => {
    if (query.after !== undefined && !isBefore(query.after, relative)) return true;
    state.parent = above;
    state.bytes += sizeOf(query.format, { relative, type, name });
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

function sizeOf(
  format: TreeQuery['format'],
  { relative, type, name }: { readonly relative: string; readonly type: EntryType; readonly name: string },
): number {
  const isDirectory = type === 'directory';
  if (format === 'json') return Buffer.byteLength(JSON.stringify(name)) + (isDirectory ? AROUND_DIRECTORY : AROUND);
  const depth = relative.split('/').length - 1;
  return 2 * depth + Buffer.byteLength(visibleName(name)) + (isDirectory ? '/ …\n'.length + 2 : 1);
}

class Tree {
  readonly nodes: Node[] = [];
  readonly #directories = new Map<string, Node[]>([['', this.nodes]]);
  readonly #marked = new Map<string, Node>();

  add(above: string, name: string, type: EntryType): void {
    const siblings = this.#childrenOf(above);
    if (type === 'directory') this.#addDirectory(siblings, name, above === '' ? name : `${above}/${name}`);
    else siblings.push({ name, type });
  }

  /** Of a later page the directories above are shown again. */
  #childrenOf(directory: string): Node[] {
    const known = this.#directories.get(directory);
    if (known !== undefined) return known;
    const end = directory.lastIndexOf('/');
    return this.#addDirectory(this.#childrenOf(directory.slice(0, Math.max(0, end))), directory.slice(end + 1), directory);
  }

  #addDirectory(siblings: Node[], name: string, relative: string): Node[] {
    const children: Node[] = [];
    const node: Node = { name, type: 'directory', children };
    siblings.push(node);
    this.#directories.set(relative, children);
    this.#marked.set(relative, node);
    return children;
  }

  /** Marks the directories that are not shown whole. */
  mark(isCut: (relative: string, depth: number) => boolean): void {
    for (const [relative, node] of this.#marked) {
      if (isCut(relative, relative.split('/').length)) node.truncated = true;
    }
  }

  /** One name in a line, two spaces deeper than its directory. */
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
