import type { ContentBlock, ReadResourceResult } from '@modelcontextprotocol/server';

/** For each type of block, a function that returns whether a block has the required properties. */
const BLOCKS: Readonly<Record<string, (block: object) => boolean>> = {
  text: (block) => hasStrings(block, 'text'),
  image: (block) => hasStrings(block, 'data', 'mimeType'),
  audio: (block) => hasStrings(block, 'data', 'mimeType'),
  resource_link: (block) => hasStrings(block, 'uri', 'name'),
  resource: (block) => 'resource' in block && isResourceContents(block.resource),
};

/** Whether a value is a text, image, audio, resource or resource link block. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return false;
  return Object.hasOwn(BLOCKS, value.type) && BLOCKS[value.type]?.(value) === true;
}

/** Whether a value is the text or blob content of a resource. */
export function isResourceContents(value: unknown): value is ReadResourceResult['contents'][number] {
  return hasStrings(value, 'uri') && (hasStrings(value, 'text') || hasStrings(value, 'blob'));
}

function hasStrings(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'string');
}
