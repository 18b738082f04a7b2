import type { ProcessIdentity } from '@org/mcp-host';

/** Parses the identity of the process that owns a file in the state directory. Returns `undefined` for an invalid text. */
export function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const { pid, started, machine }: Partial<Record<string, unknown>> = JSON.parse(text);
    if (typeof pid !== 'number' || typeof machine !== 'string') return undefined;
    return { pid, machine, started: typeof started === 'string' ? started : undefined };
  } catch {
    return undefined;
  }
}
