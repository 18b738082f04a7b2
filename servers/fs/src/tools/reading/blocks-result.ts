import type { Facts } from '@org/mcp-decorators';

/** A result of several content blocks, with facts about them. */
export interface BlocksResult {
  readonly content: readonly Block[];
  readonly _meta: Facts;
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string } }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
      readonly annotations: { readonly lastModified: string };
    };
