import { Resource, Tool, type ResourceWatcher } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { RED_PIXEL } from '../support/media.ts';

export class TemplateVariables {
  @IsString() id!: string;
}

const WATCHED = 'test://watched-resource';

/** Resources as text, bytes and a template, and one that can be watched. */
export class Resources implements ResourceWatcher {
  readonly #watchers = new Set<() => void>();

  @Resource({ uri: 'test://static-text', name: 'Static Text', description: 'Text', mimeType: 'text/plain' })
  staticText(): string {
    return 'This is the content of the static text resource.';
  }

  @Resource({ uri: 'test://static-binary', name: 'Static Binary', description: 'An image', mimeType: 'image/png' })
  staticBinary(): Uint8Array {
    return Buffer.from(RED_PIXEL, 'base64');
  }

  @Resource({ uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'JSON', mimeType: 'application/json' })
  template({ id }: TemplateVariables): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }

  @Resource({ uri: WATCHED, name: 'Watched', description: 'Text that clients may subscribe to', mimeType: 'text/plain' })
  watched(): string {
    return 'Watched resource content';
  }

  /** This tool does not belong to the suite, which only subscribes. */
  @Tool({ description: 'Notifies subscribers that the watched resource was updated' })
  triggerResourceUpdate(): string {
    for (const updated of this.#watchers) updated();
    return 'Mutation triggered';
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (uri !== WATCHED) return undefined;
    const own = (): void => updated();
    this.#watchers.add(own);
    return {
      [Symbol.asyncDispose]: async () => void this.#watchers.delete(own),
    };
  }
}
