import type { ProcessIdentity } from '@org/mcp-host';

/** The process that a text in the state directory names; `undefined` for one that names none. */
export function ownerIn(text: string): ProcessIdentity | undefined {
  try {
    const { pid, started, machine }: Partial<Record<string, unknown>> = JSON.parse(text);
    if (typeof pid !== 'number' || typeof machine !== 'string') return undefined;
    return { pid, machine, started: typeof started === 'string' ? started : undefined };
  } catch {
    return undefined;
  }
}
