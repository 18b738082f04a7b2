import { Complete, Resource, Tool, type ResourceWatcher } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { RED_PIXEL } from '../../support/media.ts';
import { MARKED } from './content-tools.ts';

export class ItemVariables {
  @IsString() id!: string;
}

export class UriInput {
  @IsString() uri!: string;
}

const IDS = Array.from({ length: 150 }, (_, index) => `item-${index}`);
const IMPORTANT = { audience: ['user' as const], priority: 0.8, lastModified: '2026-07-28T12:00:00Z' };

/** Resources of every kind. Resources with a URI that begins with `protocol://watched/` can be watched. */
export class Resources implements ResourceWatcher {
  readonly #watchers = new Map<() => void, string>();

  @Resource({ uri: 'protocol://text', title: 'Text', description: 'Text', mimeType: 'text/plain', annotations: IMPORTANT })
  text(): string {
    return 'text';
  }

  @Resource({ uri: 'protocol://json', description: 'JSON', _meta: MARKED })
  json(): object {
    return { json: true };
  }

  @Resource({ uri: 'protocol://blob', description: 'An image', mimeType: 'image/png' })
  blob(): Uint8Array {
    return Buffer.from(RED_PIXEL, 'base64');
  }

  @Resource({ uri: 'protocol://several', description: 'Two at once' })
  several(): object {
    return {
      contents: [
        { uri: 'protocol://text', mimeType: 'text/plain', text: 'text' },
        { uri: 'protocol://blob', mimeType: 'image/png', blob: RED_PIXEL },
      ],
    };
  }

  @Resource({ uri: 'protocol://broken', description: 'Cannot be read' })
  broken(): never {
    throw new Error('EACCES: /home/admin/secret');
  }

  @Resource({ uriTemplate: 'protocol://item/{id}', name: 'item', description: 'An item', _meta: MARKED })
  item({ id }: ItemVariables): string {
    return `item ${id}`;
  }

  @Resource({ uriTemplate: 'protocol://watched/{id}', name: 'watched', description: 'Text that changes' })
  watched({ id }: ItemVariables): string {
    return `watched ${id}`;
  }

  @Complete({ resource: 'protocol://item/{id}', argument: 'id' })
  completeId(): readonly string[] {
    return IDS;
  }

  @Tool({ description: 'Changes a resource' })
  touch({ uri }: UriInput): void {
    for (const [updated, watched] of this.#watchers) if (watched === uri) updated();
  }

  @Tool({ description: 'How many watch a resource' })
  watchers({ uri }: UriInput): string {
    return String([...this.#watchers.values()].filter((watched) => watched === uri).length);
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (!uri.startsWith('protocol://watched/')) return undefined;
    const own = (): void => updated();
    this.#watchers.set(own, uri);
    return { [Symbol.asyncDispose]: async () => void this.#watchers.delete(own) };
  }
}
