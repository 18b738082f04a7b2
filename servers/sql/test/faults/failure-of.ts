import { readdir } from 'node:fs/promises';

import type { Session } from '@org/mcp-testing';

/** What a call that has to fail says of it. */
export interface Failure {
  readonly text: string;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How a call fails. */
export async function failureOf(session: Session, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Failure> {
  const { content, isError, _meta } = await session.client.callTool({ name, arguments: { ...args } });
  const [block] = content;
  const text = block?.type === 'text' ? block.text : '';
  if (isError !== true) throw new Error(`${name} did not fail: ${text}`);
  return { data: {}, ...(_meta?.['error'] as { code: string; data?: Record<string, unknown> }), text };
}

/** Sockets that this process has open. */
export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => /^(?:TCP|Pipe)\w*Wrap$/.test(resource)).length;
}

/** Descriptors that this process has open; 0 where the system does not tell. */
export async function openDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length;
}
