/** One event of an event stream. */
export interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
}

/** Yields the events of a response until the stream ends; skips comments. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let rest = '';
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Whether a response is a stream of events. */
export function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

function eventOf(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === undefined) continue;
    const before = name === 'data' ? fields.data : undefined;
    fields[name] = before === undefined ? (value ?? '') : `${before}\n${value}`;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}
